/**
 * The key of an e-mail or user code: texts with one key are one name. It applies compatibility composition (NFKC), for
 * ligatures and letter width, and full case folding. Small, capital, small, because ẞ has no other capital, ß becomes SS
 * only as a capital, and ς is also σ. I is the capital of i and of the Turkish ı, so ı counts as i; İ keeps its dot.
 * The same as `folded_login` of the database, which decides. Idempotent.
 */
export const foldLogin = (login: string): string =>
  login.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
