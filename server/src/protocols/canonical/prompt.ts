export type MediaKind = 'image' | 'document' | 'audio' | 'video';

export interface PromptMedia {
  readonly kind: MediaKind;
  /** Length of the base64 text; `null` for media that only the provider can fetch. */
  readonly letters: number | null;
}

/** All contents of a request body that a provider may count as input: everything except field names and settings. */
export interface Prompt {
  /** Texts in their original order. Values other than strings are included as JSON. */
  readonly texts: readonly string[];
  readonly media: readonly PromptMedia[];
  /** Total length of the values that a provider encrypted or signed, such as reasoning. */
  readonly sealedLetters: number;
  /** Number of messages, calls and tools. Providers add tokens around each. */
  readonly pieces: number;
  readonly hasTools: boolean;
  readonly tokens: number;
}
