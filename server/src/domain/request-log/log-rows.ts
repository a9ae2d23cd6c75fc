import type {
  DeviationReceipt,
  IntentName,
  Labels,
  LogFacets,
  logStatuses,
  PriceJson,
  PromptPrivacy,
  ProviderCall,
  RoleName,
  taskCategories,
  usageSources,
} from '@sluice/contract';
import type { BodyPlace } from './body-place.ts';

export interface LogRow {
  readonly id: string;
  readonly receivedAt: Date;
  readonly userId: number | null;
  readonly userName: string | null;
  readonly userEmail: string | null;
  readonly taskId: number | null;
  readonly taskTitle: string | null;
  readonly labels: Labels | null;
  readonly modelRequested: string | null;
  readonly model: string | null;
  readonly downgradedByBudgetId: number | null;
  readonly status: (typeof logStatuses)[number];
  readonly httpStatus: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly responseTimeMs: number;
  readonly firstByteMs: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly usageSource: (typeof usageSources)[number];
  readonly costNanoUsd: bigint | null;
  readonly price: (PriceJson & { markup_percentage?: number }) | null;
  readonly providerCalls: ProviderCall[] | null;
  readonly repeats: number;
  readonly isStream: boolean;
  readonly providerKey: string | null;
  readonly providerInstanceName: string | null;
  readonly apiKeyName: string | null;
  readonly clientRequestId: string | null;
  readonly intentClassification: string | null;
  readonly confidenceScore: number | null;
  /** Corrected intent, which is stored separately from the row. */
  readonly correctedIntent: IntentName | null;
  readonly userScoreBefore: number | null;
  readonly userScoreAfter: number | null;
  readonly deviationScoreDelta: number | null;
  readonly deviationReceipts: DeviationReceipt[] | null;
  readonly prompt: string | null;
  readonly response: string | null;
  /** `null` once retention has deleted the texts. */
  readonly promptPrivacy: PromptPrivacy | null;
  /** Location of texts in object storage; `null` once they have been read, or if the row itself contains its texts. */
  readonly bodyPlace: BodyPlace | null;
}

/** Row of a caller's own request in the API, without names and texts. */
export type OwnRow = Pick<
  LogRow,
  | 'id'
  | 'receivedAt'
  | 'taskId'
  | 'model'
  | 'status'
  | 'httpStatus'
  | 'errorCode'
  | 'errorMessage'
  | 'promptTokens'
  | 'completionTokens'
  | 'usageSource'
  | 'costNanoUsd'
  | 'intentClassification'
  | 'confidenceScore'
  | 'userScoreBefore'
  | 'userScoreAfter'
  | 'deviationScoreDelta'
  | 'deviationReceipts'
>;

/** All fields except `prompt` are `null` once retention has deleted the texts. */
export interface BodyRow {
  readonly prompt: string | null;
  /** Uncompressed body, written by nodes of 0.1.0. */
  readonly text: string | null;
  /** Body compressed by `compressText`. */
  readonly compressed: Buffer | null;
  readonly bytes: number | null;
  readonly sha256: Buffer | null;
  readonly promptPrivacy: PromptPrivacy | null;
  /** Location of the body in object storage; `null` if the row contains the body. */
  readonly bodyPlace: BodyPlace | null;
}

export interface PromptRow {
  readonly prompt: string | null;
  readonly intent: string | null;
  /** Location of the full prompt in object storage; `null` if the row contains the prompt. */
  readonly bodyPlace: BodyPlace | null;
}

export interface RequestFigures {
  readonly costNanoUsd: bigint | null;
  readonly intent: string | null;
  readonly responseTimeMs: number;
  readonly totalTokens: number;
}

export interface RecentRequest {
  readonly id: string;
  readonly receivedAt: Date;
  /** Model, or the requested name if no model was chosen. */
  readonly model: string | null;
  readonly status: LogRow['status'];
  readonly error_code: string | null;
  readonly repeats: number;
  readonly total_tokens: number;
}

export interface FacetCount {
  readonly facet: Exclude<keyof LogFacets, 'rows' | 'is_whole'>;
  readonly value: string;
  readonly count: number;
}

/** Costs are in nano-dollars, as text. */
export interface LogSums {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: string;
  /** Whether the sums include all matching rows. */
  readonly isExact: boolean;
}

/** Number of rejected requests per day and reason. `count` includes repeats; `rows` does not. */
export interface RefusalCount {
  readonly date: string;
  readonly reason: string;
  readonly count: number;
  readonly rows: number;
}

export interface InstanceLatency {
  readonly id: number;
  readonly lastSuccessAt: string;
  readonly p50: number;
  readonly p95: number;
}

export interface ProviderSums {
  readonly providerKey: string | null;
  readonly providerName: string | null;
  readonly requests: string;
  readonly tokens: string;
  /** Cost of self-managed instances. */
  readonly self: string;
  /** Cost of service-managed instances. */
  readonly service: string;
}

export interface ScoredLog {
  readonly id: string;
  readonly user_id: number;
  readonly role: RoleName;
  readonly received_at_ms: number;
  readonly status: string;
  readonly http_status: number;
  readonly error_code: string | null;
  readonly repeats: number;
  readonly intent: IntentName | null;
  readonly confidence: number | null;
  readonly category: (typeof taskCategories)[number] | null;
  readonly wording: number | null;
}

export interface ServedLog {
  readonly userId: number | null;
  readonly atMs: number;
  readonly model: string;
  readonly requested: string;
  readonly amount: number;
  readonly endedAtMs: number;
}

/** Group of requests with the same target selection: user, model name and operation. */
export interface DrilledRequests {
  readonly userId: number | null;
  readonly modelRequested: string | null;
  readonly model: string | null;
  readonly operation: string;
  readonly requests: number;
  /** Tokens and cost in nano-dollars of each charged request. */
  readonly charged: readonly DrilledCharge[];
}

export interface DrilledCharge {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cost: string;
}
