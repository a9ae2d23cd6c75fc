import { nonStreamingTimeouts, streamingTimeouts } from '#upstream/client.ts';
import type { UpstreamTimeouts } from '#upstream/upstream-response.ts';
import type { InstanceTimeouts } from '../snapshot/tables/llm-providers.ts';

export interface ProviderTimeouts {
  readonly streaming: UpstreamTimeouts;
  readonly nonStreaming: UpstreamTimeouts;
  readonly retriesMax: number;
  /** Maximum wait requested by a provider that still leads to a retry at the same instance. */
  readonly retryWaitMs: number;
  /** Like `retryWaitMs`, but used if another instance could be called instead. */
  readonly retryWaitBeforeFallbackMs: number;
  /** Maximum time during which a caller may read nothing of a response that is ready. */
  readonly idleWriteMs: number;
  /** Maximum silence of a stream before a keep-alive is sent. */
  readonly keepAliveMs: number;
}

export const defaultTimeouts: ProviderTimeouts = {
  streaming: streamingTimeouts,
  nonStreaming: nonStreamingTimeouts,
  retriesMax: 2,
  retryWaitMs: 5_000,
  retryWaitBeforeFallbackMs: 1_000,
  idleWriteMs: 60_000,
  // Load balancers close connections that are silent for 30 to 60 seconds.
  keepAliveMs: 15_000,
};

/** Values set by administrators take precedence over the defaults. */
export function findCallTimeouts(
  { timeouts: set }: { readonly timeouts: InstanceTimeouts | null },
  defaults: ProviderTimeouts,
  isStream: boolean,
): UpstreamTimeouts {
  const { streaming, nonStreaming } = defaults;
  const usual = isStream ? streaming : nonStreaming;
  if (set === null) return usual;
  const totalMs = (isStream ? set.streamTotalMs : set.totalMs) ?? usual.totalMs;
  return {
    connectMs: set.connectMs ?? usual.connectMs,
    // The first byte of a non-streaming response arrives only once the response is complete.
    firstByteMs: isStream ? (set.firstByteMs ?? usual.firstByteMs) : (set.totalMs ?? usual.firstByteMs),
    idleMs: set.idleMs ?? usual.idleMs,
    totalMs,
  };
}
