import { setTimeout as pause } from 'node:timers/promises';
import { askModel, GateRefusal, type PartialAnswer } from '#console/llm-comparison/ask-model.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Logger } from '#platform/logger.ts';
import { changeMessage, deleteMessages, findFigures, setLeaf } from './store.ts';

/** An answer that is to be written. */
export interface Turn {
  readonly chatId: string;
  readonly answerId: string;
  /** The messages that it has written, which are taken back when it is refused, and where the branch ended before. */
  readonly newIds: readonly string[];
  readonly formerLeafId: string | null;
  /** Of a chat completion. */
  readonly body: object;
}

/** An answer that is being written; it goes on when nobody follows it. */
export interface ChatRun {
  /** Resolves when the gate has let it through. */
  readonly admitted: Promise<void>;
  /** Resolves when the answer is stored with what it took; rejects with what went wrong. */
  readonly ended: Promise<void>;
  /** What has come so far, and what comes. */
  follow(): AsyncGenerator<string>;
}

/** The answers that this node is writing. */
export interface ChatRuns {
  start(ctx: SignedInContext, turn: Turn): ChatRun;
  /** Ends the answer of a chat, if this node writes it. */
  stop(chatId: string): void;
  /** Hears of the stops that other nodes announce: `chat_stops:` and the chat's id. */
  onAnnounced(change: string): void;
  whenEnded(): Promise<void>;
}

const saveEveryMs = 250;
/** A job takes an answer for lost whose node has not said for 30 seconds that it lives. */
const heartbeatMs = 5_000;
const figuresWait = { everyMs: 50, limitMs: 5_000 };
/** For an answer that the gateway still reads to its usage after it was stopped. */
const lateFiguresWait = { everyMs: 2_000, limitMs: 150_000 };

const stopPrefix = 'chat_stops:';

export const interrupted = 'The gateway stopped while this answer was being written.';

/** Those that run when `drained` aborts are ended, so that they can be written down before the node ends. */
export function createChatRuns(drained: AbortSignal, log: Logger): ChatRuns {
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();
  const stop = (chatId: string) => running.get(chatId)?.stop.abort();
  return {
    start(ctx, turn) {
      const stopping = new AbortController();
      const run = startRun(ctx, turn, { stopped: stopping.signal, drained });
      const ended = run.ended
        .catch((error) => {
          if (!(error instanceof GateRefusal))
            log.warn({ error, chatId: turn.chatId }, 'an answer of a chat failed');
        })
        .finally(() => running.delete(turn.chatId));
      running.set(turn.chatId, { stop: stopping, ended });
      return run;
    },
    stop,
    onAnnounced: (change) => change.startsWith(stopPrefix) && stop(change.slice(stopPrefix.length)),
    async whenEnded() {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

interface Ends {
  readonly stopped: AbortSignal;
  readonly drained: AbortSignal;
}

function startRun(ctx: SignedInContext, turn: Turn, ends: Ends): ChatRun {
  const answer: PartialAnswer = { requestId: null, text: '' };
  const admitted = Promise.withResolvers<void>();
  let grown = Promise.withResolvers<void>();
  let hasEnded = false;
  const wake = () => {
    grown.resolve();
    grown = Promise.withResolvers();
  };
  const asked = askModel(
    ctx.askGate,
    {
      body: turn.body,
      clientRequestId: turn.answerId,
      signal: AbortSignal.any([ends.stopped, ends.drained]),
      onAdmitted: admitted.resolve,
      onText: wake,
    },
    answer,
  ).finally(() => {
    hasEnded = true;
    wake();
  });
  const ended = writeAnswer(ctx, turn, { answer, asked, ends });
  return {
    admitted: admitted.promise,
    ended,
    async *follow() {
      for (let told = 0; ; ) {
        const { promise } = grown;
        if (told < answer.text.length) {
          const text = answer.text.slice(told);
          told = answer.text.length;
          yield text;
        } else if (hasEnded) return;
        else await promise;
      }
    },
  };
}

interface Writing {
  readonly answer: PartialAnswer;
  readonly asked: Promise<void>;
  readonly ends: Ends;
}

/** Writes what comes four times a second, and at the end how it ended; what was refused before a word came is taken back. */
async function writeAnswer(ctx: SignedInContext, turn: Turn, { answer, asked, ends }: Writing) {
  const { tenantId } = ctx.principal;
  const save = (change: Parameters<typeof changeMessage>[3]) =>
    ctx.inTenant((tx) => changeMessage(tx, tenantId, turn.answerId, change));
  const stopSaving = saveWhatComes(answer, save);
  const failure = await asked.then(
    () => null,
    (error: Error) => error,
  );
  await stopSaving();
  if (failure && answer.text === '' && !ends.stopped.aborted) {
    await ctx.inTenant(async (tx) => {
      const { chatId, answerId, formerLeafId: leafId } = turn;
      await deleteMessages(tx, tenantId, turn.newIds);
      await setLeaf(tx, { tenantId, chatId, leafId }, answerId);
    });
    throw failure;
  }
  const { requestId, text: content } = answer;
  const status = failure ? (ends.stopped.aborted ? 'stopped' : 'failed') : 'completed';
  const errorMessage = status !== 'failed' ? null : ends.drained.aborted ? interrupted : failure?.message;
  const ended = { requestId, content, status, errorMessage: errorMessage ?? null } as const;
  // The gateway reads a stopped answer to its usage, which may take longer than the reader wants to wait.
  if (status === 'stopped') await save(ended);
  const figures = await waitForFigures(ctx, requestId, figuresWait);
  if (!figures && status === 'stopped') void saveLateFigures(ctx, requestId, save);
  await save({ ...ended, ...figures });
  if (status === 'failed' && failure) throw failure;
}

function saveWhatComes(
  answer: PartialAnswer,
  save: (change: { requestId: string | null; content: string }) => Promise<void>,
): () => Promise<void> {
  let saved = '';
  let savedAtMs = performance.now();
  let writing: Promise<void> | null = null;
  const write = async () => {
    saved = answer.text;
    savedAtMs = performance.now();
    // What could not be written now, the next time brings.
    await save({ requestId: answer.requestId, content: saved }).catch(() => undefined);
    writing = null;
  };
  const timer = setInterval(() => {
    const isDue = answer.text !== saved || performance.now() - savedAtMs > heartbeatMs;
    if (isDue && !writing) writing = write();
  }, saveEveryMs);
  return async () => {
    clearInterval(timer);
    await writing;
  };
}

async function saveLateFigures(
  ctx: SignedInContext,
  requestId: string | null,
  save: (figures: NonNullable<Awaited<ReturnType<typeof waitForFigures>>>) => Promise<void>,
): Promise<void> {
  // Without them the message shows no tokens; the log has them.
  const figures = await waitForFigures(ctx, requestId, lateFiguresWait).catch(() => undefined);
  if (figures) await save(figures).catch(() => undefined);
}

/** What the log says of the request, so that both always say the same. */
async function waitForFigures(
  { inTenant, principal }: SignedInContext,
  requestId: string | null,
  { everyMs, limitMs }: typeof figuresWait,
) {
  if (requestId === null) return undefined;
  for (const endsAtMs = performance.now() + limitMs; performance.now() < endsAtMs; ) {
    const figures = await inTenant((tx) => findFigures(tx, principal.tenantId, requestId));
    if (figures) return figures;
    await pause(everyMs);
  }
  return undefined;
}
