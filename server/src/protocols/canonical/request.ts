import type { ErrorCode } from '@sluice/contract';
import type { PromptTexts } from '../prompt-texts.ts';
import type { CacheMark, Message, ProtocolId, ToolName } from './content.ts';
import type { Prompt } from './prompt.ts';

export interface Tool extends ToolName {
  readonly description?: string;
  /** JSON Schema of the arguments, always of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly isStrict?: boolean;
  /** Whether the tool accepts free text, which is its only parameter (`freeform-tool.ts`). */
  readonly isFreeform?: boolean;
  readonly cacheMark?: CacheMark;
}

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | ({ readonly kind: 'tool' } & ToolName);

export type ResponseFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'json-schema';
      readonly name: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly description?: string;
      readonly isStrict?: boolean;
    };

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** Requested reasoning: an effort, a token budget, or both. Absent fields are left to the model. */
export interface ReasoningOptions {
  readonly effort?: ReasoningEffort;
  readonly budgetTokens?: number;
  /** Set if the caller turns reasoning on and leaves the amount to the model. */
  readonly isOn?: true;
  /** Whether the response includes the reasoning. */
  readonly isShown?: boolean;
}

/** Sampling options. Options that a protocol does not support are omitted with a warning. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  /** Number of most likely tokens to report; 0 reports the chosen token only. */
  readonly topLogprobs?: number;
}

/** Protocol-independent completion request. Absent fields were not set by the caller. */
export interface CanonicalRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly isParallelToolUse?: boolean;
  readonly outputTokensMax?: number;
  /** Number of choices; not all protocols support more than 1. */
  readonly count?: number;
  readonly stop: readonly string[];
  readonly sampling: Sampling;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningOptions;
  /** Whether the response may contain images. */
  readonly wantsImages?: true;
  /** The end user of the caller's application. */
  readonly endUser?: string;
  /** OpenAI's hashed id of the end user, for its safety checks. */
  readonly safetyIdentifier?: string;
  /** Requests with the same key share a cache at OpenAI. */
  readonly promptCacheKey?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly verbosity?: string;
  /** Names of fields that exist only in the caller's protocol; each adds a warning if it cannot be carried over. */
  readonly extensions: readonly string[];
}

/** A field of an assistant message in which vendors return reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'thinking';

/** Limits and capabilities of a model, from data about models; absent fields are unknown. */
export interface ModelFacts {
  /** Maximum input tokens. */
  readonly context?: number;
  /** Maximum output tokens, reasoning included. */
  readonly output?: number;
  readonly reasoning?: boolean;
  /** Whether the model reasons if a request does not mention reasoning. */
  readonly reasonsByDefault?: boolean;
  /** The reasoning efforts that the model accepts; absent if these are the vendor's usual ones. */
  readonly efforts?: readonly string[];
  readonly vision?: boolean;
  /** Whether the model calls tools. */
  readonly tools?: boolean;
  /** Whether the model accepts `temperature`, `top_p` and `top_k`. */
  readonly sampling?: boolean;
  /** Whether the model's reasoning is controlled by an effort instead of a token budget. */
  readonly adaptiveThinking?: boolean;
  readonly alwaysThinks?: boolean;
  /** Whether the model accepts a JSON schema for its answer, and strict tools. */
  readonly structuredOutput?: boolean;
  /** Whether system messages may follow the first turn. */
  readonly systemTurns?: boolean;
  /** Output of the model if not text: `embeddings`, `images`, `audio` or `other`. */
  readonly answers?: string;
  /** Whether the model's vendor serves it only in the Responses API. */
  readonly onlyResponses?: boolean;
}

/** Deviations of a vendor from its protocol; absent fields mean no deviation. */
export interface Dialect {
  /**
   * The only accepted name of the output cap; a cap under the other name is renamed. If absent, both names are
   * accepted.
   */
  readonly capField?: 'max_tokens' | 'max_completion_tokens';
  /**
   * The field for reasoning of earlier turns; `none` if the vendor accepts no reasoning. If absent, reasoning is sent
   * back in the field in which it was received, and other reasoning is omitted.
   */
  readonly reasoningField?: ReasoningField | 'none';
  /** Whether the vendor accepts reasoning signed by any maker, because it serves models of several makers. */
  readonly takesReasoningDetails?: boolean;
  /** Whether reasoning requests may include a token budget. */
  readonly takesReasoningBudget?: boolean;
  /**
   * Returns the nearest effort that a model accepts, or `null` if it accepts none. If absent, no model accepts an
   * effort.
   */
  readonly fitReasoningEffort?: (model: string, effort: ReasoningEffort) => ReasoningEffort | null;
  readonly seedField?: 'random_seed';
  /** Required shape of tool call ids; others are mapped to it. */
  readonly toolCallIds?: 'nine-alphanumerics' | 'forty-characters';
  /** The only fields that the vendor accepts in an assistant message; absent if it ignores others. */
  readonly assistantFields?: ReadonlySet<string>;
  /**
   * The reasoning items that a Responses endpoint accepts from earlier turns: those that OpenAI signed or stores, or
   * those of any maker. If absent, all except OpenAI's.
   */
  readonly reasoningItems?: 'of-openai' | 'of-any';
  /** Whether developer messages are sent as system messages, which every vendor accepts. */
  readonly lacksDeveloperRole?: boolean;
  readonly lacksJsonSchema?: boolean;
  /** Whether usage is not requested for streams, because they include it anyway or the vendor rejects the field. */
  readonly tellsUsageUnasked?: boolean;
  /** Whether the vendor accepts OpenAI's identifiers, cache key and verbosity; others reject unknown fields. */
  readonly takesOpenAiFields?: boolean;
  /** Whether content parts and tools may have `cache_control`. */
  readonly takesCacheMarks?: boolean;
  /** Whether assistant messages may have `images`, as the vendor's own responses do. */
  readonly takesImages?: boolean;
}

/** Size of the response that a request asks for, in tokens. */
export interface OutputWish {
  /** The caller's own cap; `null` if it set none. */
  readonly tokensMax: number | null;
  /** Reasoning budget; 0 if the request sets none. */
  readonly thinkingTokens: number;
  /** Number of choices; the cap applies to each. */
  readonly answers: number;
}

/** Output cap set by the gateway. */
export interface OutputCap {
  readonly tokens: number;
}

/** Request fields that responses of its protocol repeat, as the caller wrote them. */
export type RepeatedFields = Readonly<Record<string, unknown>>;

/** A field of a request that makes a provider run a tool or use a model. */
interface Place {
  /**
   * `model`: the field names a model. `choice`: the provider picks the models behind this name. `value`: the field is
   * unknown, and its value may be the name of a model.
   */
  readonly kind: 'tool' | 'model' | 'choice' | 'value';
  /** The model's name, or the tool itself. */
  readonly value: unknown;
}

/** Called with each place; returns true to stop the search. */
export type IsFound = (place: Place) => boolean;

/** The pipeline's view of a request to a model in any protocol. */
export interface ModelRequest extends PromptTexts {
  readonly protocol: ProtocolId;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly isStream: boolean;
  readonly taskId: number | null;
  readonly output: OutputWish;
  /**
   * Returns the caller's bytes with the necessary edits, for a provider of the same protocol. A cap is written to the
   * field that the caller used, only if lower. For a shared account, references to stored objects are removed if the
   * request also contains their content.
   */
  encodeFor(model: string, dialect?: Dialect, cap?: OutputCap, isAccountShared?: boolean): Buffer;
  /** Returns the first field that must not be sent to a shared account; `null` if all may be. */
  findUnlistedField(): string | null;
  /**
   * Returns the first field that requests something not billed by tokens, such as a search; otherwise `null`.
   */
  findPaidExtra(): string | null;
  /** Returns the path of the first tool or model in the body that `isFound` picks; otherwise `null`. */
  findPlace(isFound: IsFound): string | null;
  /** Returns everything in the body that may count as input, including fields that no other method reads. */
  readPrompt(): Prompt;
}

/** The pipeline's view of a completion request. */
export interface CompletionRequest extends ModelRequest {
  readonly operation?: undefined;
  /** `format: "minimal"`: the response is reduced to the fields of the contract's minimal completion. */
  readonly isMinimal: boolean;
  /** Whether the caller requested usage in the stream; the gateway always requests it. */
  readonly wantsUsage: boolean;
  /** Whether the request has tools that only OpenAI's own Responses API accepts; absent in other protocols. */
  readonly hasOpenaiTools?: boolean;
  /** Absent if responses of the protocol repeat nothing. */
  readonly repeatedFields?: RepeatedFields;
  /** Decodes the request into the canonical form, once; a problem names what cannot be represented. */
  toCanonical():
    | { readonly ok: true; readonly request: CanonicalRequest }
    | { readonly ok: false; readonly problem: RequestProblem };
}

/** Reason why the gateway rejects a request; `param` names the field in the caller's terms. */
export interface RequestProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: CompletionRequest }
  | { readonly ok: false; readonly problem: RequestProblem };
