/** Outcome of an accepted request. */
export type Outcome =
  /** The whole response was written to the socket. */
  | 'completed'
  /** The connection closed before that. */
  | 'client_closed'
  /** The model destroyed the connection. */
  | 'reset'
  /** The model returned an error, or no response: nothing was generated or billed. */
  | 'refused'
  /** The model ended the response before it was complete. */
  | 'truncated';

export type Protocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'anthropic-messages'
  | 'gemini'
  | 'cohere'
  | 'ollama';

export type Operation = 'generate' | 'embed' | 'count_tokens';

/** Consecutive frames of a stream with the same number of tokens each. */
export interface FrameRun {
  count: number;
  tokensEach: number;
}

/** Billing of one accepted request, that is, one with a valid key and body. */
export interface JournalEntry {
  /** 1 for the first entry; entries are ordered by the end of their responses. */
  sequence: number;
  /** The request's `x-client-request-id` header. */
  requestId: string | null;
  protocol: Protocol;
  operation: Operation;
  model: string;
  stream: boolean;
  promptTokens: number;
  /** Part of `promptTokens`, as is `cacheWriteTokens`; they do not overlap. */
  cachedTokens: number;
  cacheWriteTokens: number;
  /** Generated and written to the socket; a body that is not streamed counts completely or not at all. */
  completionTokens: number;
  /** Part of `completionTokens`. */
  reasoningTokens: number;
  /** Written to the socket, without head and transfer encoding. */
  bodyBytes: number;
  /** Frames of a stream as written to the socket: events, lines or elements. */
  frames: FrameRun[];
  outcome: Outcome;
  /** Milliseconds since the epoch, as is `endedAt`. */
  startedAt: number;
  endedAt: number;
}

export interface SandboxJournal {
  /** Returns the newest entries, oldest first. */
  entries(): JournalEntry[];
  /** Deletes the entries; sequence numbers continue. */
  clear(): void;
  /** Resolves with the first matching entry, now or in the future. */
  waitFor(matches: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
}

/** Returns the number of tokens in the first frames of a stream. */
export function tokensWithin({ frames }: JournalEntry, frameCount: number): number {
  let left = frameCount;
  let tokens = 0;
  for (const { count, tokensEach } of frames) {
    const received = Math.min(count, left);
    tokens += received * tokensEach;
    left -= received;
  }
  return tokens;
}

export type WritableJournal = SandboxJournal & { append(entry: Omit<JournalEntry, 'sequence'>): void };

interface Waiter {
  matches: (entry: JournalEntry) => boolean;
  resolve: (entry: JournalEntry) => void;
}

/** Returns a journal of the newest `capacity` entries, which bounds its memory. */
export function createJournal(capacity = 200_000): WritableJournal {
  let ring: JournalEntry[] = [];
  let oldest = 0;
  let sequence = 0;
  const waiters = new Set<Waiter>();
  const entries = () => [...ring.slice(oldest), ...ring.slice(0, oldest)];

  return {
    entries,
    clear() {
      ring = [];
      oldest = 0;
    },
    waitFor(matches) {
      const known = entries().find(matches);
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => waiters.add({ matches, resolve }));
    },
    append(fields) {
      const entry = { sequence: ++sequence, ...fields };
      if (ring.length < capacity) {
        ring.push(entry);
      } else {
        ring[oldest] = entry;
        oldest = (oldest + 1) % capacity;
      }
      for (const waiter of waiters) {
        if (!waiter.matches(entry)) continue;
        waiters.delete(waiter);
        waiter.resolve(entry);
      }
    },
  };
}
