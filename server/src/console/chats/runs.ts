import { setTimeout as pause } from 'node:timers/promises';
import {
  askModel,
  describeCut,
  EmptyAnswer,
  GatewayRefusal,
  type PartialAnswer,
} from '#console/llm-comparison/ask-model.ts';
import { unlessAway } from '#domain/request-log/log-store-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { interruptedAnswer } from '#jobs/end-lost-answers.ts';
import type { Logger } from '#platform/logger.ts';
import { changeMessage, deleteMessages, setLeaf } from './store.ts';

export interface Turn {
  readonly chatId: string;
  readonly answerId: string;
  /**
   * Ids of messages created for this turn. The messages are deleted if the request is rejected; `formerLeafId` then
   * becomes the end of the branch again.
   */
  readonly newIds: readonly string[];
  readonly formerLeafId: string | null;
  readonly body: object;
}

/** Answer being written. Writing continues even if no client follows the answer. */
export interface ChatRun {
  readonly admitted: Promise<void>;
  /** Resolves once the answer is stored. Rejects if the request was rejected or the answer failed. */
  readonly ended: Promise<void>;
  /** Yields the current text, then the remaining text as it arrives. */
  follow(): AsyncGenerator<string>;
}

/** Registry of the answers that this node is writing. */
export interface ChatRuns {
  start(ctx: SignedInContext, turn: Turn): ChatRun;
  stop(chatId: string): void;
  /** Called with stop notifications from all nodes. A notification is `chat_stops:` followed by the chat id. */
  onAnnounced(change: string): void;
  whenEnded(): Promise<void>;
}

const saveEveryMs = 250;
/** Must be much shorter than 30 seconds, after which a job ends an answer without a heartbeat. */
const heartbeatMs = 5_000;
const figuresWait = { everyMs: 50, limitMs: 5_000 };
/**
 * Polling interval and time limit for a stopped answer's usage, which is only known after the gateway has read the
 * whole answer.
 */
const lateFiguresWait = { everyMs: 1_000, limitMs: 150_000 };

const stopPrefix = 'chat_stops:';

/**
 * Creates the registry of running answers. Aborting `drained` ends the answers, so that they are stored before the
 * node exits.
 */
export function createChatRuns(drained: AbortSignal, log: Logger): ChatRuns {
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();
  const stop = (chatId: string) => running.get(chatId)?.stop.abort();
  return {
    start(ctx, turn) {
      const stopping = new AbortController();
      const run = startRun(ctx, turn, { stopped: stopping.signal, drained });
      const ended = run.ended
        .catch((error) => {
          if (!(error instanceof GatewayRefusal))
            log.warn({ error, chatId: turn.chatId }, 'a chat response failed');
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
  const answer: PartialAnswer = { requestId: null, text: '', finishReason: null };
  const admitted = Promise.withResolvers<void>();
  let grown = Promise.withResolvers<void>();
  let hasEnded = false;
  const wake = () => {
    grown.resolve();
    grown = Promise.withResolvers();
  };
  const asked = askModel(
    ctx.askGateway,
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

/**
 * Saves the text at most four times per second, and the outcome at the end. If the request fails before any text
 * arrives, its messages are deleted.
 */
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
  const isEmpty = failure instanceof EmptyAnswer;
  if (failure && !isEmpty && answer.text === '' && !ends.stopped.aborted) {
    await ctx.inTenant(async (tx) => {
      const { chatId, answerId, formerLeafId: leafId } = turn;
      await deleteMessages(tx, tenantId, turn.newIds);
      await setLeaf(tx, { tenantId, chatId, leafId }, answerId);
    });
    throw failure;
  }
  const { requestId, text: content } = answer;
  const status = failure ? (ends.stopped.aborted ? 'stopped' : 'failed') : 'completed';
  const ended = {
    requestId,
    content,
    status,
    errorMessage: describeEnd(status, failure, { answer, ends }),
  } as const;
  // Do not wait for a stopped answer's usage, because the gateway first reads the whole answer.
  if (status === 'stopped') {
    await save(ended);
    void saveLateFigures(ctx, requestId, save);
    return;
  }
  const figures = await waitForFigures(ctx, requestId, figuresWait);
  await save({ ...ended, ...figures });
  if (status === 'failed' && !isEmpty && failure) throw failure;
}

function describeEnd(
  status: 'completed' | 'stopped' | 'failed',
  failure: Error | null,
  { answer, ends }: Pick<Writing, 'answer' | 'ends'>,
): string | null {
  if (status === 'completed') return describeCut(answer);
  if (status === 'stopped') return null;
  return ends.drained.aborted ? interruptedAnswer : (failure?.message ?? null);
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
    // Ignore a failed save, because the next save includes this text.
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
  // If the usage does not arrive in time, the message shows no token count. The log still contains the usage.
  const figures = await waitForFigures(ctx, requestId, lateFiguresWait).catch(() => undefined);
  if (figures) await save(figures).catch(() => undefined);
}

/** Waits for the log row, so that the chat shows the same usage as the log. */
async function waitForFigures(
  { inTenant }: SignedInContext,
  requestId: string | null,
  { everyMs, limitMs }: typeof figuresWait,
) {
  if (requestId === null) return undefined;
  for (const endsAtMs = performance.now() + limitMs; performance.now() < endsAtMs; ) {
    const figures = await inTenant(({ requestLog }) =>
      unlessAway(requestLog.findFigures(requestId), undefined),
    );
    if (figures) {
      const { costNanoUsd, intent, totalTokens: tokensUsed } = figures;
      return { costNanoUsd, intent, tokensUsed };
    }
    await pause(everyMs);
  }
  return undefined;
}
