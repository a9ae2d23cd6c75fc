import type { Maintenance } from '#domain/resolve-model.ts';
import type { Admitted, Attempt, Attempted, Calls, Ended } from '#gateway/exchange.ts';
import { attempt } from '#gateway/pipeline/attempt.ts';
import { AbandonedCalls } from '#gateway/provider-call/abandoned-calls.ts';
import { defaultTimeouts, type ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { RequestAbort } from '#gateway/request-abort.ts';
import { monotonicClock } from '#platform/clock.ts';
import { openaiChat } from '#protocols/openai-chat/index.ts';
import type { Protocol } from '#protocols/protocol.ts';
import type { AbortSource } from '#upstream/abort-source.ts';
import { createCircuitBreaker } from '#upstream/circuit-breaker.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import { createRetryBudget } from '#upstream/retries.ts';

/** Provider call stage over real sockets, with its own circuits and budget. */
export interface AttemptStage {
  run(origins: readonly string[], call?: StageCall): StageRun;
}

interface StageCall {
  /** Defaults to user 1. */
  userId?: number;
  isStream?: boolean;
  abort?: AbortSource;
  /** Defaults to OpenAI's chat completions. */
  protocol?: Protocol;
  /** Maintenance of each instance. Defaults to none. */
  maintenance?: readonly (Maintenance | null)[];
}

export interface StageRun {
  readonly calls: Readonly<Calls>;
  /** Resolves with the result of the stage. The provider's response is discarded. */
  readonly result: Promise<Attempted>;
}

export function createAttemptStage(
  timeouts: Partial<ProviderTimeouts> = {},
  clock = monotonicClock,
): AttemptStage {
  const deps = {
    upstream: createUpstreamClient({ policy: { allowPrivate: true } }),
    retryBudget: createRetryBudget(clock),
    circuits: createCircuitBreaker({ clock }),
    reports: { noteKeyRefusal: () => undefined },
    abandoned: new AbandonedCalls(),
    timeouts: { ...defaultTimeouts, ...timeouts },
  };
  return {
    run(
      origins,
      { userId = 1, isStream = false, abort: given, protocol = openaiChat, maintenance = [] } = {},
    ) {
      const abort = new RequestAbort();
      given?.addEventListener('abort', { handleEvent: () => abort.abort() });
      if (given?.aborted) abort.abort();
      // safe because the stage reads no other fields of a request
      const attempts = origins.map((origin, index) =>
        describeTarget(origin, index, protocol, maintenance[index] ?? null),
      );
      const exchange = {
        id: 'a-request',
        startedMs: performance.now(),
        affordable: attempts,
        firstTarget: attempts[0],
        completion: { isStream },
        abort,
        request: { headers: {} },
        principal: { userId },
      } as unknown as Admitted & Ended;
      const result = attempt(exchange, deps).then((attempted) => {
        attempted.upstream.body.abort();
        return attempted;
      });
      // safe because the stage reports its calls before it first waits
      return { calls: exchange.calls as Calls, result };
    },
  };
}

function describeTarget(
  origin: string,
  index: number,
  protocol: Protocol,
  maintenance: Maintenance | null,
): Attempt {
  const instance: Attempt['instance'] = {
    id: index + 1,
    tenantId: 1,
    name: `instance ${index + 1}`,
    providerKey: 'custom',
    endpoint: origin,
    enabledModels: ['m'],
    aliases: {},
    isDefault: false,
    isActive: true,
    isServiceManaged: false,
    maintenance,
    fallbackPosition: null,
    createdAtMs: 0,
    timeouts: null,
    signatures: [{ headers: {}, expiresAtMs: null }],
  };
  return {
    instance,
    teamId: null,
    model: 'm',
    url: new URL(`${origin}/v1/chat/completions`),
    signatures: instance.signatures,
    isBuiltIn: false,
    protocol,
    isPassThrough: true,
    defaultOutputTokensMax: 0,
    fitCap: () => null,
    encodeBody: () => Buffer.from('{"model":"m"}'),
    optionalBody: null,
    findUnlistedField: () => null,
    warnings: [],
    callerTools: new Map(),
  };
}
