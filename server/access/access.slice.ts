import { serveClientSecrets } from './api-users/client-secrets.routes.ts'
import { deleteEndedSecrets } from './api-users/client-secrets.store.ts'
import { approvalForms } from './approvals/approvals.forms.ts'
import { serveApprovals } from './approvals/approvals.routes.ts'
import { deleteOldLoneActs } from './approvals/lone-acts.store.ts'
import { deleteUnusedClients } from './assistants/assistant-clients.store.ts'
import { serveConnections } from './assistants/connections.routes.ts'
import { serveOAuthMetadata } from './assistants/oauth-metadata.routes.ts'
import { serveInvitations } from './invitations/invitations.routes.ts'
import { serveEmailConfirmation } from './second-factors/confirm-email.routes.ts'
import { serveMfa } from './second-factors/mfa.routes.ts'
import { deleteOldChallenges } from './second-factors/mfa.store.ts'
import { serveSecondFactors } from './second-factors/second-factors.routes.ts'
import { servePasskeys } from './passkeys/passkeys.routes.ts'
import { serveHealth } from './serve/health.ts'
import { serveMetrics } from './serve/serve-metrics.ts'
import { serveScim } from './scim/scim.routes.ts'
import type { Slice } from './serve/slice.ts'
import { serveOAuth2 } from './sessions/oauth2.routes.ts'
import { serveOwnSessions } from './sessions/own-sessions.routes.ts'
import { serveSessions } from './sessions/sessions.routes.ts'
import { deleteEndedSessions } from './sessions/sessions.store.ts'
import { serveOidc } from './single-sign-on/oidc.routes.ts'
import { serveAccessGroups } from './users/access-groups.routes.ts'
import { serveCurrentUser } from './users/current-user.routes.ts'
import { servePasswordReset } from './users/password-reset.routes.ts'
import { deleteOldResets } from './users/password-reset.store.ts'
import { userForms } from './users/users.forms.ts'
import { serveUsers } from './users/users.routes.ts'

export const accessSlice: Slice = {
  routes: [
    serveHealth,
    serveMetrics,
    serveSessions,
    serveMfa,
    serveOAuth2,
    serveOAuthMetadata,
    serveConnections,
    serveOidc,
    serveOwnSessions,
    serveCurrentUser,
    serveUsers,
    serveClientSecrets,
    serveSecondFactors,
    serveEmailConfirmation,
    servePasskeys,
    servePasswordReset,
    serveInvitations,
    serveAccessGroups,
    serveApprovals,
    serveScim,
  ],
  forms: (service) => [...userForms(service), ...approvalForms()],
  purges: [
    deleteEndedSessions,
    deleteUnusedClients,
    deleteOldChallenges,
    deleteOldResets,
    deleteEndedSecrets,
    deleteOldLoneActs,
  ],
}
