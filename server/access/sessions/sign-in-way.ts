/** By what a user proved who they are. */
export type SignInWay = 'password' | 'mfa' | 'oauth2' | 'oidc'
