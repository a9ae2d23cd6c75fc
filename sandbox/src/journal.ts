export type Outcome =
  | 'completed'
  | 'client_closed'
  | 'reset'
  /** The model returned an error, or no response. Nothing was generated or billed. */
  | 'refused'
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

/** Billing record of an accepted request, which has a valid key and body. */
export interface JournalEntry {
  /** Sequence number, starting at 1. Entries are in the order in which their responses ended. */
  sequence: number;
  /** Value of the request header `x-client-request-id`. */
  requestId: string | null;
  protocol: Protocol;
  operation: Operation;
  model: string;
  stream: boolean;
  promptTokens: number;
  /** Included in `promptTokens`. `cachedTokens` and `cacheWriteTokens` do not overlap. */
  cachedTokens: number;
  cacheWriteTokens: number;
  /**
   * Tokens that were generated and written to the socket. A body that is not streamed counts completely or not at
   * all.
   */
  completionTokens: number;
  /** Included in `completionTokens`. */
  reasoningTokens: number;
  /** Bytes written to the socket, without head and transfer encoding. */
  bodyBytes: number;
  /** Frames of a stream as written to the socket: events, lines or elements. */
  frames: FrameRun[];
  outcome: Outcome;
  /** Milliseconds since the epoch, like `endedAt`. */
  startedAt: number;
  endedAt: number;
}

export interface SandboxJournal {
  /** Returns the entries that the journal still has, oldest first. */
  entries(): JournalEntry[];
  /** Deletes the entries. Sequence numbers continue. */
  clear(): void;
  /** Resolves to the first matching entry, which may already exist or be added later. */
  waitFor(matches: (entry: JournalEntry) => boolean): Promise<JournalEntry>;
}

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

/** Creates a journal that keeps the newest `capacity` entries. */
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
