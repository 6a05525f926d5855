/** The kinds of masks, and what they need. */

export type MaskKind =
  /** A code, or what says nothing of a person. */
  | 'keep'
  /** No value, an empty text, an empty list. */
  | 'none'
  | 'blank'
  | 'noElements'
  /** Names and places, word by word. A list of them. */
  | 'words'
  | 'list'
  /** Free text. */
  | 'text'
  /** Digits for digits and letters for letters. */
  | 'shape'
  /** A number or reference from outside, and one that is unique in the whole installation. */
  | 'code'
  | 'token'
  | 'email'
  | 'phone'
  | 'idNumber'
  | 'bank'
  | 'birth'
  | 'bytes'
  /** A text that is a code of the contract, or else free. */
  | 'known'
  /** Documents: of the service, of a letter, of custom fields, of the audit trail. */
  | 'json'
  | 'letter'
  | 'custom'
  | 'changes'
  /** Of the trail: the first transaction, and a new salt. */
  | 'first'
  | 'salt'

/** Masks a value as text; null stays null. The result null is no value. */
export type Mask = (value: string) => string | null

export interface MaskOptions {
  /** 32 bytes. */
  key: Uint8Array
  /** Texts that stay as they are within documents: codes and names of members. */
  known: ReadonlySet<string>
  /** Kinds of members of documents, by the columns of the same name. */
  members: ReadonlyMap<string, MaskKind>
  /** Identity numbers of the source with their countries: no mask becomes one of them. */
  idNumbers: ReadonlyMap<string, string | null>
  /** `YYYY-MM-DD` */
  today: string
}

/** Of a value, for a purpose. */
export type Digest = (kind: string, value: string) => Buffer
