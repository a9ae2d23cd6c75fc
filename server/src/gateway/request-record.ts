import type { PriceJson } from '@sluice/contract';
import type { AllowanceKind } from '#domain/allowance/kind.ts';
import type { Asked } from '#domain/deviation/recent-asks.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { Usage } from '#protocols/canonical/usage.ts';

export type RequestStatus = 'success' | 'error' | 'client_closed' | 'refused';

/**
 * How a row's token counts came to be: told by the provider, counted on what was received, estimated where the provider
 * told nothing, cut because it told an output of more than twice what was held, or not known.
 */
export type UsageSource = 'provider' | 'partial' | 'estimated' | 'capped' | 'none';

/** What a request has taken of one limit. Amounts are requests, tokens, or for credits nano-dollars. */
export interface RecordedPart {
  readonly kind: AllowanceKind;
  readonly allowanceId: string;
  readonly amount: number;
  /** What of the node's slice was set aside for it. */
  readonly leased: number;
  /** 0 until the request has ended. */
  used: number;
}

/** What a request holds until it ends, and then what it has used. */
export interface RecordedHold {
  readonly nodeId: string;
  /** A likely count of its input, charged where the provider tells none. */
  readonly inputTokens: number;
  readonly parts: readonly RecordedPart[];
}

export type ChargedRates = PriceJson & { markup_percentage?: number };

/**
 * The log row in the making. Stages fill in what they learn; what is journaled is this object, so it holds only
 * what JSON can carry. Times are wall-clock milliseconds, durations milliseconds.
 */
export interface RequestRecord {
  id: string;
  clientRequestId: string | null;
  receivedAtMs: number;
  tenantId: number | null;
  userId: number | null;
  apiKeyId: number | null;
  taskId: number | null;
  /** The team by whose grant it was let through; `null` where the caller's own or their role did. */
  teamId: number | null;
  llmProviderId: number | null;
  providerKey: string | null;
  providerInstanceName: string | null;
  protocol: string;
  operation: string;
  modelRequested: string | null;
  model: string | null;
  isStream: boolean;
  status: RequestStatus;
  httpStatus: number;
  errorCode: string | null;
  errorMessage: string | null;
  attempts: number;
  /** A provider may have seen it. */
  isSent: boolean;
  /** How many refusals of one reason this row stands for. */
  repeats: number;
  firstByteMs: number | null;
  responseTimeMs: number;
  usage: Usage | null;
  usageSource: UsageSource;
  /** `null` before it is admitted. */
  hold: RecordedHold | null;
  /** Whole nano-dollars; `null` where no price is known or nothing was used. */
  costNanoUsd: string | null;
  /** The rates that it was charged at. */
  price: ChargedRates | null;
  /** The cost is taken from the tenant's credits. */
  isServiceManaged: boolean;
  /** What the prompt asks for, and how sure that is, from 0 to 1; `null` when there is none to classify. */
  intent: string | null;
  confidence: number | null;
  /** What the prompt says of its person's deviation; `null` where no prompt was judged, which moves no score. */
  signals: SignalValues | null;
  /** How it asks, for scores; `null` where nothing was judged. */
  asked: Asked | null;
  prompt: string | null;
  response: string | null;
  requestBody: string | null;
  requestBytes: number;
  requestSha256: string | null;
  responseBytes: number;
}

/** How much of each text a row keeps; length and hash are those of the whole. */
export const keptTextBytes = 64 * 1024;

export function startRecord(
  given: Pick<RequestRecord, 'id' | 'clientRequestId' | 'receivedAtMs' | 'protocol' | 'operation'>,
): RequestRecord {
  return {
    ...given,
    tenantId: null,
    userId: null,
    apiKeyId: null,
    taskId: null,
    teamId: null,
    llmProviderId: null,
    providerKey: null,
    providerInstanceName: null,
    modelRequested: null,
    model: null,
    isStream: false,
    status: 'error',
    httpStatus: 0,
    errorCode: null,
    errorMessage: null,
    attempts: 0,
    isSent: false,
    repeats: 1,
    firstByteMs: null,
    responseTimeMs: 0,
    usage: null,
    usageSource: 'none',
    hold: null,
    costNanoUsd: null,
    price: null,
    isServiceManaged: false,
    intent: null,
    confidence: null,
    signals: null,
    asked: null,
    prompt: null,
    response: null,
    requestBody: null,
    requestBytes: 0,
    requestSha256: null,
    responseBytes: 0,
  };
}

/**
 * A text as a row keeps it: cut to 64 KB at a character's edge, without what PostgreSQL cannot hold
 * (NUL, lone surrogates).
 */
export function keepText(text: string): string {
  const cut = text.length > keptTextBytes / 4 ? cutToBytes(text.slice(0, keptTextBytes)) : text;
  return cut.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function cutToBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= keptTextBytes) return text;
  let end = keptTextBytes;
  // A byte 10xxxxxx continues a character: step back to where one begins.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
