import type { Labels, PromptPrivacy } from '@sluice/contract';
import type { AllowanceKind } from '#domain/allowance/window.ts';
import type { TextOrigin } from '#domain/deviation/fold.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { ChargedRates, ProviderCall, RequestStatus, UsageSource } from '../exchange.ts';

export interface RecordedPart {
  readonly kind: AllowanceKind;
  readonly allowanceId: string;
  readonly amount: number;
  readonly leased: number;
  /** Amount used; 0 until the request has ended. */
  readonly used: number;
}

export interface RecordedHold {
  readonly nodeId: string;
  /** Estimated input tokens, charged if the provider reports no usage. */
  readonly inputTokens: number;
  readonly parts: readonly RecordedPart[];
}

/**
 * Contains only JSON values, except for the bytes of a body. Times are wall-clock milliseconds, and durations are
 * milliseconds.
 */
export interface RequestRecord {
  readonly id: string;
  readonly clientRequestId: string | null;
  readonly receivedAtMs: number;
  readonly tenantId: number | null;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  /** Labels at receipt. Absent in records of the previous release. */
  readonly labels?: Labels | null;
  /** Client IP address, for the last use of the key. Absent before the request has ended. */
  readonly address?: string | null | undefined;
  readonly taskId: number | null;
  /** Team whose grant allowed the request; `null` if the user's own grant or role did. */
  readonly teamId: number | null;
  readonly llmProviderId: number | null;
  readonly providerKey: string | null;
  readonly providerInstanceName: string | null;
  readonly protocol: string;
  readonly operation: string;
  readonly modelRequested: string | null;
  readonly model: string | null;
  /** Budget that downgraded the request to `model`. Absent in records of the previous release. */
  readonly downgradedByBudgetId?: number | null;
  readonly isStream: boolean;
  readonly status: RequestStatus;
  readonly httpStatus: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly attempts: number;
  readonly providerCalls: readonly ProviderCall[] | null;
  /** True if a provider may have seen the request. */
  readonly isSent: boolean;
  /** Number of identical rejections that this row represents. */
  readonly repeats: number;
  readonly firstByteMs: number | null;
  readonly responseTimeMs: number;
  readonly usage: Usage | null;
  readonly usageSource: UsageSource;
  /** `null` before the request is admitted. */
  readonly hold: RecordedHold | null;
  /** Whole nano-dollars; `null` if no price is known or nothing was used. */
  readonly costNanoUsd: string | null;
  readonly price: ChargedRates | null;
  /** Whether the cost is deducted from the tenant's credits. */
  readonly isServiceManaged: boolean;
  /** Intent of the prompt, with a confidence from 0 to 1; `null` without a prompt to classify. */
  readonly intent: string | null;
  readonly confidence: number | null;
  /** Deviation signals of the prompt; `null` if no prompt was judged and no score changes. */
  readonly signals: SignalValues | null;
  /** Origin of the scored text, used for deviation scores; `null` if no text was scored. */
  readonly asked: TextOrigin | null;
  /** Privacy mode applied to the texts. Absent until the request is journaled; until then, the texts are complete. */
  readonly promptPrivacy?: PromptPrivacy;
  readonly prompt: string | null;
  readonly response: string | null;
  /** Bytes until journaled if the log keeps them unchanged; text once read from the journal. */
  readonly requestBody: string | Buffer | null;
  readonly requestBytes: number;
  readonly requestSha256: string | null;
  readonly responseBytes: number;
}
