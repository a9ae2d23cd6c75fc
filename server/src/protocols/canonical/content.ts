export type ProtocolId =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'cohere'
  | 'ollama';

/** Source of an image, document or sound. The gateway never fetches a `url` itself. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  /** `base64` is standard and padded; `mediaType` is lower case. */
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  /** File that the caller uploaded to the provider. The file id is only valid at that provider. */
  | { readonly kind: 'file'; readonly fileId: string };

/** End of the part of a prompt that the provider caches. */
export interface CacheMark {
  /** Cache lifetime, such as `1h`. If absent, the provider's default applies. */
  readonly ttl?: string;
}

interface Cacheable {
  readonly cacheMark?: CacheMark;
}

export interface TextPart extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart extends Cacheable {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: 'low' | 'high' | 'auto';
  /** Must be sent back to the provider whose model generated the image. */
  readonly signature?: Signature;
}

export interface DocumentPart extends Cacheable {
  readonly type: 'document';
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string };
  readonly name?: string;
}

export interface AudioPart extends Cacheable {
  readonly type: 'audio';
  readonly source: MediaSource;
}

export interface ToolName {
  readonly name: string;
  /** Group of the tool, for callers that group tools. Names are unique only within a group. */
  readonly namespace?: string;
}

/** Call of a client tool. `arguments` is JSON text as written by the model, `{}` for a call without arguments. */
export interface ToolCallPart extends ToolName, Cacheable {
  readonly type: 'tool-call';
  readonly id: string;
  /** Whether the tool accepts free text as its single argument (`freeform-tool.ts`). */
  readonly isFreeform?: boolean;
  readonly arguments: string;
  /** Must be sent back to the provider with this call in the next turn. */
  readonly signature?: Signature;
}

export interface ToolResultPart extends Cacheable {
  readonly type: 'tool-result';
  readonly callId: string;
  /** Tool name. Set if the call appears earlier in the same conversation. */
  readonly name?: string;
  readonly namespace?: string;
  readonly parts: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError: boolean;
}

/** Provider's signature over its own reasoning. Only valid in the protocol that created the signature. */
export interface Signature {
  readonly protocol: ProtocolId;
  readonly value: string;
  readonly id?: string;
}

/**
 * Reasoning of a model. If the reasoning is hidden, `text` is empty and the signature contains the encrypted
 * reasoning.
 */
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
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart | ImagePart;

/**
 * Message in a conversation. Tool results are in user messages, before other parts. A later system message keeps its
 * position; encoders move it to the top if the protocol does not allow it there.
 */
export type Message =
  | { readonly role: 'system'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] };
