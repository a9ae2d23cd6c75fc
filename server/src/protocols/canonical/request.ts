import type { ErrorCode } from '@sluice/contract';
import type { Asking } from '../asking.ts';
import type { Message, ProtocolId, ToolName } from './content.ts';
import type { Prompt } from './prompt.ts';

export interface Tool extends ToolName {
  readonly description?: string;
  /** JSON Schema of the arguments, always of type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly isStrict?: boolean;
  /** It is called with a text, and its parameters hold that text alone (`freeform-tool.ts`). */
  readonly isFreeform?: boolean;
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

/** How much a model is to think: an effort, a budget in tokens, or both; absent fields leave it to the model. */
export interface ReasoningWish {
  readonly effort?: ReasoningEffort;
  readonly budgetTokens?: number;
  /** Whether the thoughts are to be shown. */
  readonly isShown?: boolean;
}

/** Extras of sampling: where a protocol has none of one it is left out, with a warning that names it. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  /** How many likeliest tokens to report; 0 reports only the chosen one's. */
  readonly topLogprobs?: number;
}

/** A completion request as every protocol understands it. Absent means that the caller said nothing. */
export interface CanonicalRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly isParallelToolUse?: boolean;
  readonly outputTokensMax?: number;
  /** How many answers; above 1 only some protocols can. */
  readonly count?: number;
  readonly stop: readonly string[];
  readonly sampling: Sampling;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningWish;
  /** The caller's own end user. */
  readonly endUser?: string;
  /** Fields that only the caller's protocol knows, by name: a warning each when they cannot be carried. */
  readonly extensions: readonly string[];
}

/** Where a vendor departs from the protocol it speaks; what is absent is as in the protocol. */
export interface Dialect {
  /** The field that takes back the reasoning of earlier turns; without one it is left out. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | 'thinking';
  /** Takes back reasoning with its proofs, whichever maker's models wrote it, since it serves those of many. */
  readonly takesReasoningDetails?: boolean;
  /** Takes a wish for reasoning as a budget in tokens too. */
  readonly takesReasoningBudget?: boolean;
  /** The effort nearest to a wish that a model takes, `null` for one that takes none; absent, none does. */
  readonly fitReasoningEffort?: (model: string, effort: ReasoningEffort) => ReasoningEffort | null;
  readonly seedField?: 'random_seed';
  /** The shape that ids of tool calls must have; others are mapped to it. */
  readonly toolCallIds?: 'nine-alphanumerics';
  readonly lacksJsonSchema?: boolean;
  /** Reports its usage in every stream and may refuse to be asked for it. */
  readonly tellsUsageUnasked?: boolean;
}

/** What a request says about the size of its answer, in tokens. */
export interface OutputWish {
  /** The caller's own cap, `null` when it named none. */
  readonly tokensMax: number | null;
  /** What it allows for thinking, 0 when it names no budget. */
  readonly thinkingTokens: number;
  /** How many answers it wants; the cap is that of each. */
  readonly answers: number;
}

/** The cap that the gate puts on an answer. */
export interface OutputCap {
  readonly tokens: number;
  /** Reasoning models of OpenAI take another field. */
  readonly isReasoningModel: boolean;
}

/** Fields of a request that answers in its protocol repeat, as the caller wrote them. */
export type RepeatedFields = Readonly<Record<string, unknown>>;

/** A field of a request that makes a provider run a tool or use a model. */
interface Place {
  /**
   * `model`: the field names a model. `choice`: the provider picks the models behind this name.
   * `value`: the field is unknown, and its value may be the name of a model.
   */
  readonly kind: 'tool' | 'model' | 'choice' | 'value';
  /** The model's name, or the tool itself. */
  readonly value: unknown;
}

/** Called with each place; returns true to stop the search. */
export type IsFound = (place: Place) => boolean;

/** What the pipeline needs to know of any request to a model, whatever protocol it came in. */
export interface ModelRequest extends Asking {
  readonly protocol: ProtocolId;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly isStream: boolean;
  readonly taskId: number | null;
  readonly output: OutputWish;
  /**
   * The bytes for a provider of the same protocol: the caller's own, but for the named edits. A cap is written into the
   * field that the caller used, and only where it is below the caller's own. For an account that tenants share, names
   * of what the provider keeps are taken out where the request holds the content beside them.
   */
  encodeFor(model: string, dialect?: Dialect, cap?: OutputCap, isAccountShared?: boolean): Buffer;
  /** The first field that may not go to an account which tenants share, `null` when all may. */
  findUnlistedField(): string | null;
  /** The field that asks for what is not paid by tokens, such as a search, `null` when none does. */
  findPaidExtra(): string | null;
  /** Returns the path of the first tool or model in the body that `isFound` picks, `null` if there is none. */
  findPlace(isFound: IsFound): string | null;
  /** What of the body may cost input, also outside of what any other method reads. */
  readPrompt(): Prompt;
}

/** What it needs to know of a request for a completion. */
export interface CompletionRequest extends ModelRequest {
  readonly operation?: undefined;
  /** `format: "minimal"`: the answer is reduced to the fields of the contract's minimal completion. */
  readonly isMinimal: boolean;
  /** Whether the caller asked for usage in the stream; the gate asks in any case. */
  readonly wantsUsage: boolean;
  /** Absent where the protocol's answers repeat nothing. */
  readonly repeatedFields?: RepeatedFields;
  /** The request in the form that every protocol can encode, decoded once; a problem names what has no such form. */
  toCanonical():
    | { readonly ok: true; readonly request: CanonicalRequest }
    | { readonly ok: false; readonly problem: RequestProblem };
}

/** A request the gate refuses; `param` names the field in the caller's terms. */
export interface RequestProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: CompletionRequest }
  | { readonly ok: false; readonly problem: RequestProblem };
