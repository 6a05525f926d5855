/** How a user proved their identity. */
export type SignInMethod = 'password' | 'mfa' | 'oauth2' | 'oidc'
