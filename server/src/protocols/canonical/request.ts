import type { ErrorCode } from '@sluice/contract';
import type { PromptTexts } from '../prompt-texts.ts';
import type { CacheMark, Message, ProtocolId, ToolName } from './content.ts';
import type { Prompt } from './prompt.ts';

export interface Tool extends ToolName {
  readonly description?: string;
  /** JSON Schema of the arguments, always of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly isStrict?: boolean;
  /** Whether the tool accepts free text as its only parameter (`freeform-tool.ts`). */
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
  readonly isShown?: boolean;
}

/** Options that a protocol does not support are omitted with a warning. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  /** Number of most likely tokens to report. 0 reports only the chosen token. */
  readonly topLogprobs?: number;
}

/** Absent fields were not set by the caller. */
export interface CanonicalRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly isParallelToolUse?: boolean;
  readonly outputTokensMax?: number;
  /** Number of choices. Not all protocols support more than 1. */
  readonly count?: number;
  readonly stop: readonly string[];
  readonly sampling: Sampling;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningOptions;
  readonly wantsImages?: true;
  /** End user of the caller's application. */
  readonly endUser?: string;
  /** OpenAI's hashed end-user id, for safety checks. */
  readonly safetyIdentifier?: string;
  /** OpenAI cache key. Requests with the same key share a cache. */
  readonly promptCacheKey?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly verbosity?: string;
  /**
   * Names of fields that exist only in the caller's protocol. Each adds a warning if the provider's protocol cannot
   * express the field.
   */
  readonly extensions: readonly string[];
}

/** Field of an assistant message in which vendors return reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'thinking';

/** Limits and capabilities of a model, from the model data. Absent fields are unknown. */
export interface ModelFacts {
  readonly context?: number;
  /** Maximum output tokens, reasoning included. */
  readonly output?: number;
  readonly reasoning?: boolean;
  /** Whether the model reasons if a request does not mention reasoning. */
  readonly reasonsByDefault?: boolean;
  /** Reasoning efforts that the model accepts. If absent, the vendor's usual efforts apply. */
  readonly efforts?: readonly string[];
  readonly vision?: boolean;
  readonly tools?: boolean;
  readonly sampling?: boolean;
  /** Whether the model's reasoning is controlled by an effort instead of a token budget. */
  readonly adaptiveThinking?: boolean;
  readonly alwaysThinks?: boolean;
  /** Whether the model supports strict tools and a JSON schema for its response. */
  readonly structuredOutput?: boolean;
  /** Whether system messages may follow the first turn. */
  readonly systemTurns?: boolean;
  /** Kind of the model's output if not text: `embeddings`, `images`, `audio` or `other`. */
  readonly answers?: string;
  /** Whether the vendor serves the model only through the Responses API. */
  readonly onlyResponses?: boolean;
}

/** Deviations of a vendor from its protocol. Absent fields mean no deviation. */
export interface Dialect {
  /**
   * Only accepted name of the output cap field. A cap under the other name is renamed. If absent, both names are
   * accepted.
   */
  readonly capField?: 'max_tokens' | 'max_completion_tokens';
  /**
   * Field for reasoning of earlier turns; `none` if the vendor accepts no reasoning. If absent, reasoning is sent
   * back in the field in which it was received, and other reasoning is omitted.
   */
  readonly reasoningField?: ReasoningField | 'none';
  /** Whether the vendor accepts reasoning signed by any maker, because it serves models of several makers. */
  readonly takesReasoningDetails?: boolean;
  readonly takesReasoningBudget?: boolean;
  /**
   * Returns the nearest effort that a model accepts, or `null` if the model accepts none. If absent, no model accepts
   * an effort.
   */
  readonly fitReasoningEffort?: (model: string, effort: ReasoningEffort) => ReasoningEffort | null;
  readonly seedField?: 'random_seed';
  /** Required format of tool call ids. Other ids are mapped to this format. */
  readonly toolCallIds?: 'nine-alphanumerics' | 'forty-characters';
  /** Fields that the vendor accepts in an assistant message. If absent, the vendor ignores unknown fields. */
  readonly assistantFields?: ReadonlySet<string>;
  /**
   * Reasoning items from earlier turns that a Responses endpoint accepts: items that OpenAI signed or stores, or
   * items of any maker. If absent, all except OpenAI's.
   */
  readonly reasoningItems?: 'of-openai' | 'of-any';
  /** Whether developer messages are sent as system messages, which every vendor accepts. */
  readonly lacksDeveloperRole?: boolean;
  readonly lacksJsonSchema?: boolean;
  /** Whether to omit the usage option for streams, because the vendor includes usage anyway or rejects the field. */
  readonly tellsUsageUnasked?: boolean;
  /** Whether the vendor accepts OpenAI's identifiers, cache key and verbosity. Other vendors reject unknown fields. */
  readonly takesOpenAiFields?: boolean;
  readonly takesCacheMarks?: boolean;
  /** Whether assistant messages may have `images`, as the vendor's own responses do. */
  readonly takesImages?: boolean;
}

/** Requested size of the response, in tokens. */
export interface OutputWish {
  /** Output cap set by the caller, or `null`. */
  readonly tokensMax: number | null;
  /** Reasoning budget; 0 if the request sets none. */
  readonly thinkingTokens: number;
  /** Number of choices. The cap applies to each. */
  readonly answers: number;
}

export interface OutputCap {
  readonly tokens: number;
}

/** Request fields as written by the caller, which responses of the protocol repeat. */
export type RepeatedFields = Readonly<Record<string, unknown>>;

/** Request field that makes a provider run a tool or use a model. */
interface Place {
  /**
   * `model`: the field names a model. `choice`: the provider picks the models behind this name. `value`: the field is
   * unknown, and its value may be a model name.
   */
  readonly kind: 'tool' | 'model' | 'choice' | 'value';
  readonly value: unknown;
}

/** Called with each place. Returning true stops the search. */
export type IsFound = (place: Place) => boolean;

export interface ModelRequest extends PromptTexts {
  readonly protocol: ProtocolId;
  /** Model name as written by the caller. */
  readonly model: string;
  readonly isStream: boolean;
  readonly taskId: number | null;
  readonly output: OutputWish;
  /**
   * Returns the caller's bytes with the necessary edits, for a provider with the same protocol. A cap is written to
   * the field that the caller used, and only if it lowers the value. For a shared account, references to stored
   * objects are removed if the request also contains their content.
   */
  encodeFor(model: string, dialect?: Dialect, cap?: OutputCap, isAccountShared?: boolean): Buffer;
  /** Returns the first field that must not be sent to a shared account, or `null` if all fields may be sent. */
  findUnlistedField(): string | null;
  /** Returns the first field that requests something not billed by tokens, such as a search, or `null`. */
  findPaidExtra(): string | null;
  /** Returns the path of the first tool or model in the body that `isFound` selects, or `null`. */
  findPlace(isFound: IsFound): string | null;
  /** Returns everything in the body that may count as input, including fields that no other method reads. */
  readPrompt(): Prompt;
}

export interface CompletionRequest extends ModelRequest {
  readonly operation?: undefined;
  /**
   * Whether the request has `format: "minimal"`, which reduces the response to the fields of the contract's minimal
   * completion.
   */
  readonly isMinimal: boolean;
  /** Whether the caller requested usage in the stream. If not, events with nothing but usage are withheld. */
  readonly wantsUsage: boolean;
  /** Whether the request has tools that only OpenAI's own Responses API accepts. Absent in other protocols. */
  readonly hasOpenaiTools?: boolean;
  /** Absent if responses of the protocol repeat nothing. */
  readonly repeatedFields?: RepeatedFields;
  /** Decodes the request into the canonical form and caches the result. A problem names what cannot be represented. */
  toCanonical():
    | { readonly ok: true; readonly request: CanonicalRequest }
    | { readonly ok: false; readonly problem: RequestProblem };
}

/** Reason why the gateway rejects a request. `param` is the field's name in the caller's protocol. */
export interface RequestProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: CompletionRequest }
  | { readonly ok: false; readonly problem: RequestProblem };
