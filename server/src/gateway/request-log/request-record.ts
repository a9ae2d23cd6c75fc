import type { PromptPrivacy } from '@sluice/contract';
import type { AllowanceKind } from '#domain/allowance/kind.ts';
import type { Asked } from '#domain/deviation/recent-asks.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { ChargedRates, ProviderCall, RequestStatus, UsageSource } from '../exchange.ts';

/** What a request has taken of one limit. Amounts are requests, tokens, or for credits nano-dollars. */
export interface RecordedPart {
  readonly kind: AllowanceKind;
  readonly allowanceId: string;
  readonly amount: number;
  /** What of the node's slice was set aside for it. */
  readonly leased: number;
  /** 0 until the request has ended. */
  readonly used: number;
}

/** What a request holds until it ends, and then what it has used. */
export interface RecordedHold {
  readonly nodeId: string;
  /** A likely count of its input, charged where the provider reports none. */
  readonly inputTokens: number;
  readonly parts: readonly RecordedPart[];
}

/**
 * A request as it is journaled, when it is admitted and when it has ended, and then written to its log row. It holds
 * only what JSON can carry. Times are wall-clock milliseconds, durations milliseconds.
 */
export interface RequestRecord {
  readonly id: string;
  readonly clientRequestId: string | null;
  readonly receivedAtMs: number;
  readonly tenantId: number | null;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly taskId: number | null;
  /** The team by whose grant it was let through; `null` where the caller's own or their role did. */
  readonly teamId: number | null;
  readonly llmProviderId: number | null;
  readonly providerKey: string | null;
  readonly providerInstanceName: string | null;
  readonly protocol: string;
  readonly operation: string;
  readonly modelRequested: string | null;
  readonly model: string | null;
  readonly isStream: boolean;
  readonly status: RequestStatus;
  readonly httpStatus: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly attempts: number;
  /** The calls to providers, the last one too; `null` where the only one was answered. */
  readonly providerCalls: readonly ProviderCall[] | null;
  /** A provider may have seen it. */
  readonly isSent: boolean;
  /** How many refusals of one reason this row stands for. */
  readonly repeats: number;
  readonly firstByteMs: number | null;
  readonly responseTimeMs: number;
  readonly usage: Usage | null;
  readonly usageSource: UsageSource;
  /** `null` before it is admitted. */
  readonly hold: RecordedHold | null;
  /** Whole nano-dollars; `null` where no price is known or nothing was used. */
  readonly costNanoUsd: string | null;
  /** The rates that it was charged at. */
  readonly price: ChargedRates | null;
  /** The cost is taken from the tenant's credits. */
  readonly isServiceManaged: boolean;
  /** What the prompt asks for, and how sure that is, from 0 to 1; `null` when there is none to classify. */
  readonly intent: string | null;
  readonly confidence: number | null;
  /** What the prompt says of its person's deviation; `null` where no prompt was judged, which moves no score. */
  readonly signals: SignalValues | null;
  /** How it asks, for scores; `null` where nothing was judged. */
  readonly asked: Asked | null;
  /** What was kept of its texts, by its tenant's mode when it was journaled; absent before, where they are whole. */
  readonly promptPrivacy?: PromptPrivacy;
  readonly prompt: string | null;
  readonly response: string | null;
  readonly requestBody: string | null;
  readonly requestBytes: number;
  readonly requestSha256: string | null;
  readonly responseBytes: number;
}
