import { nonStreamingTimeouts, streamingTimeouts } from '#upstream/client.ts';
import type { UpstreamTimeouts } from '#upstream/upstream-response.ts';
import type { InstanceTimeouts } from '../snapshot/tables/llm-providers.ts';

/** How long the gate waits for others before it gives up on them. */
export interface ProviderTimeouts {
  readonly streaming: UpstreamTimeouts;
  readonly nonStreaming: UpstreamTimeouts;
  /** How often a failed call is repeated at the same instance. */
  readonly retriesMax: number;
  /** Before a failed call is repeated at the same instance, when a provider asks for a wait. */
  readonly retryWaitMs: number;
  /** The same while another instance could be asked instead. */
  readonly retryWaitBeforeFallbackMs: number;
  /** For a caller that takes nothing of an answer that is ready for it. */
  readonly idleWriteMs: number;
  /** The longest that a stream is silent before its caller is told that it lives. */
  readonly keepAliveMs: number;
}

export const defaultTimeouts: ProviderTimeouts = {
  streaming: streamingTimeouts,
  nonStreaming: nonStreamingTimeouts,
  retriesMax: 2,
  retryWaitMs: 5_000,
  retryWaitBeforeFallbackMs: 1_000,
  idleWriteMs: 60_000,
  // Balancers give up a connection that is silent for 30 to 60 seconds.
  keepAliveMs: 15_000,
};

/** How long the gate waits for one instance: as its administrators have set it, else as it waits for all. */
export function findCallTimeouts(
  { timeouts: set }: { readonly timeouts: InstanceTimeouts | null },
  defaults: ProviderTimeouts,
  isStream: boolean,
): UpstreamTimeouts {
  const { streaming, nonStreaming } = defaults;
  if (set === null) return isStream ? streaming : nonStreaming;
  const usual = isStream ? streaming : nonStreaming;
  const totalMs = (isStream ? set.streamTotalMs : set.totalMs) ?? usual.totalMs;
  return {
    connectMs: set.connectMs ?? usual.connectMs,
    // An answer in one piece begins when it is whole.
    firstByteMs: isStream ? (set.firstByteMs ?? usual.firstByteMs) : (set.totalMs ?? usual.firstByteMs),
    idleMs: set.idleMs ?? usual.idleMs,
    totalMs,
  };
}
