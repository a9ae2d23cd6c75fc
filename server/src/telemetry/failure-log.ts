import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { isProviderFailure } from './provider-outcomes.ts';

/** A repeated failure of an instance is logged once per interval, with its count. */
const everyMs = 60_000;
const kindsMax = 1_000;
/** The provider's cause is logged only if it looks like a name. */
const causePattern = /^[\w.:-]{1,64}$/;

interface Told {
  readonly atMs: number;
  repeats: number;
}

/** Logs failures of providers for operators. Leaves out messages of providers, which repeat prompts. */
export class FailureLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #told = new Map<string, Told>();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  note(record: RequestRecord, calls: readonly ProviderCall[]): void {
    for (const call of calls) if (isProviderFailure(call)) this.#tell(record, call, 'before_first_byte');
    const last = calls.at(-1);
    const broke = record.errorCode;
    if (last?.errorCode === null && record.status === 'error' && broke?.startsWith('upstream_'))
      this.#tell(record, { ...last, errorCode: broke }, 'after_first_byte');
  }

  #tell(
    { id, tenantId }: RequestRecord,
    call: Omit<ProviderCall, 'errorCode'> & { errorCode: string | null },
    phase: string,
  ): void {
    const key = `${call.instanceId} ${call.model} ${call.errorCode} ${call.httpStatus} ${phase}`;
    const nowMs = this.#clock();
    const told = this.#told.get(key);
    if (told && nowMs - told.atMs < everyMs) {
      told.repeats++;
      return;
    }
    if (this.#told.size >= kindsMax) this.#told.clear();
    this.#told.set(key, { atMs: nowMs, repeats: 0 });
    this.#log.warn(
      {
        requestId: id,
        tenantId,
        instanceId: call.instanceId,
        provider: call.providerKey,
        model: call.model,
        code: call.errorCode,
        httpStatus: call.httpStatus,
        cause: causePattern.test(call.cause ?? '') ? call.cause : null,
        phase,
        durationMs: Math.round(call.durationMs),
        repeats: told?.repeats ?? 0,
      },
      'a provider failed',
    );
  }
}
