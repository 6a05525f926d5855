/** How a user proved their identity. */
export type SignInWay = 'password' | 'mfa' | 'oauth2' | 'oidc'
