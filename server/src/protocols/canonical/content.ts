/** The wire protocols a caller or a provider may speak. */
export type ProtocolId =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'cohere'
  | 'ollama';

/** Where a picture, document or sound comes from. We never fetch a `url` ourselves. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  /** `base64` is standard and padded; `mediaType` is lower case. */
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  /** A file the caller has uploaded to the provider; only that provider knows it. */
  | { readonly kind: 'file'; readonly fileId: string };

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: 'low' | 'high' | 'auto';
}

export interface DocumentPart {
  readonly type: 'document';
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string };
  readonly name?: string;
}

export interface AudioPart {
  readonly type: 'audio';
  readonly source: MediaSource;
}

/** What a caller calls a tool by. */
export interface ToolName {
  readonly name: string;
  /** The group that it stands in, for callers that group tools; the name is only one of a kind within it. */
  readonly namespace?: string;
}

/** A call of a client's tool. `arguments` is JSON text as the model wrote it; no arguments is `{}`. */
export interface ToolCallPart extends ToolName {
  readonly type: 'tool-call';
  readonly id: string;
  /** The tool is called with a text, which is the one argument (`freeform-tool.ts`). */
  readonly isFreeform?: boolean;
  readonly arguments: string;
  /** What the provider wants back with this call in the next turn. */
  readonly signature?: Signature;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly callId: string;
  /** Known when the call stands earlier in the same conversation. */
  readonly name?: string;
  readonly namespace?: string;
  readonly parts: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError: boolean;
}

/** A provider's proof of its own reasoning; worth something only to the protocol that made it. */
export interface Signature {
  readonly protocol: ProtocolId;
  readonly value: string;
  /** The reasoning item's own id, where the protocol has one. */
  readonly id?: string;
}

/** Reasoning that a model showed, or hid: then `text` is empty and the signature holds it encrypted. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly isRedacted: boolean;
  readonly signature?: Signature;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserPart = TextPart | ImagePart | DocumentPart | AudioPart | ToolResultPart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart;

/**
 * One turn. Tool results stand in user turns, before other parts, as they do in half of the protocols.
 * A system message in the middle keeps its place; a protocol that has no place for it hoists it.
 */
export type Message =
  | { readonly role: 'system'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] };
