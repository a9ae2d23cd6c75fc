import { setTimeout as pause } from 'node:timers/promises';

export interface CallKind {
  model: string;
  stream?: boolean;
  /** Number of response bytes after which the caller disconnects; 0 disconnects after the head. */
  leaveAfterBytes?: number;
}

export interface CallRecord {
  kind: CallKind;
  /** Sent as `x-request-id`, so that the row can be found without a response. */
  clientRequestId: string;
  /** Request id from the gateway; `null` without response headers. */
  id: string | null;
  status: number | null;
  errorCode: string | null;
  isWhole: boolean;
  /** Time on the monotonic clock of this process, in milliseconds. */
  startedMs: number;
}

export interface LoadOptions {
  origin: string;
  apiKey: string;
  /** Maximum time for a complete response, in milliseconds. Defaults to one minute. */
  callTimeoutMs?: number;
  /** Pause between two calls of one caller, in milliseconds. Defaults to none. */
  pauseMs?: number;
  kinds: readonly CallKind[];
  concurrency: number;
  /** Fewer calls are sent if `signal` aborts. */
  count: number;
  /** No call starts after the signal aborts. Calls in flight continue. */
  signal?: AbortSignal;
  onAnswer?: () => void;
  /** Prefix of request ids that distinguishes the calls of one load from other calls. */
  name: string;
}

const refusedPauseMs = 100;

export async function runLoad(options: LoadOptions): Promise<CallRecord[]> {
  const { kinds, concurrency, count, signal, pauseMs = 0, name } = options;
  const records: CallRecord[] = [];
  const caller = async () => {
    while (records.length < count && !signal?.aborted) {
      const kind = kinds[records.length % kinds.length]!;
      const clientRequestId = `${name}-${records.length}`;
      const startedMs = performance.now();
      const record = {
        kind,
        clientRequestId,
        id: null,
        status: null,
        errorCode: null,
        isWhole: false,
        startedMs,
      };
      records.push(record);
      await callOnce(options, record).catch(() => undefined);
      if (pauseMs > 0) await pause(pauseMs);
      // Callers that have reached a limit do not retry immediately.
      if (record.status === 402 || record.status === 429) await pause(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return records;
}

async function callOnce(options: LoadOptions, record: CallRecord): Promise<void> {
  const { origin, apiKey, callTimeoutMs = 60_000, onAnswer } = options;
  const { model, stream = false, leaveAfterBytes = Number.POSITIVE_INFINITY } = record.kind;
  const leaving = new AbortController();
  const answer = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-request-id': record.clientRequestId,
    },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello there' }] }),
    signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(callTimeoutMs)]),
  });
  record.id = answer.headers.get('x-request-id');
  record.status = answer.status;
  onAnswer?.();
  if (!answer.ok) {
    const refusal = (await answer.clone().json()) as { error?: { code?: string } };
    record.errorCode = refusal.error?.code ?? null;
  }
  let receivedBytes = 0;
  if (receivedBytes >= leaveAfterBytes) return leaving.abort();
  for await (const chunk of answer.body ?? []) {
    receivedBytes += chunk.length;
    if (receivedBytes >= leaveAfterBytes) return leaving.abort();
  }
  record.isWhole = true;
}
