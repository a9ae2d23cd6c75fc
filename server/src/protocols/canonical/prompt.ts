export type MediaKind = 'image' | 'document' | 'audio' | 'video';

/** A picture, document, sound or film of a request. */
export interface PromptMedia {
  readonly kind: MediaKind;
  /** Its length in base64; `null` for what only the provider can fetch. */
  readonly letters: number | null;
}

/** All that a request's body holds and a provider may count as input; only names and settings of its protocol are left out. */
export interface Prompt {
  /** In their order; JSON where a value is no text. */
  readonly texts: readonly string[];
  readonly media: readonly PromptMedia[];
  /** The length of what a provider has encrypted or signed, such as its reasoning. */
  readonly sealedLetters: number;
  /** Messages, calls and tools: something is written around each. */
  readonly pieces: number;
  readonly hasTools: boolean;
  /** Inputs that are given as tokens. */
  readonly tokens: number;
}
