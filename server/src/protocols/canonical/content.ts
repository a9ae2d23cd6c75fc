/** Wire protocols for callers and providers. */
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
  /** A file that the caller uploaded to the provider; its id is only valid there. */
  | { readonly kind: 'file'; readonly fileId: string };

/** Ends the part of a prompt that the provider caches. */
export interface CacheMark {
  /** Lifetime, such as `1h`; the provider's default if absent. */
  readonly ttl?: string;
}

interface Cacheable {
  readonly cacheMark?: CacheMark;
}

export interface TextPart extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

/** An image that a user sends, or that a model made. */
export interface ImagePart extends Cacheable {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: 'low' | 'high' | 'auto';
  /** Must be sent back to the provider whose model made the image. */
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

/** The name under which a caller knows a tool. */
export interface ToolName {
  readonly name: string;
  /** The tool's group, for callers that group tools; names are unique only within a group. */
  readonly namespace?: string;
}

/** A call of a client's tool. `arguments` is JSON text as the model wrote it, `{}` if there are none. */
export interface ToolCallPart extends ToolName, Cacheable {
  readonly type: 'tool-call';
  readonly id: string;
  /** Whether the tool takes free text, which is its single argument (`freeform-tool.ts`). */
  readonly isFreeform?: boolean;
  readonly arguments: string;
  /** Must be sent back to the provider with this call in the next turn. */
  readonly signature?: Signature;
}

export interface ToolResultPart extends Cacheable {
  readonly type: 'tool-result';
  readonly callId: string;
  /** Set if the call appears earlier in the same conversation. */
  readonly name?: string;
  readonly namespace?: string;
  readonly parts: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError: boolean;
}

/** A provider's signature over its own reasoning; only valid in the protocol that created it. */
export interface Signature {
  readonly protocol: ProtocolId;
  readonly value: string;
  /** The reasoning item's own id, if the protocol has one. */
  readonly id?: string;
}

/** Reasoning of a model. If hidden, `text` is empty and the signature contains it encrypted. */
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
 * One message. Tool results are in user messages, before other parts, as in half of the protocols. A later system
 * message keeps its place; protocols that do not allow it there move it to the top.
 */
export type Message =
  | { readonly role: 'system'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] };
