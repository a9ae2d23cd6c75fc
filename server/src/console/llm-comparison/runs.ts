import { setTimeout as pause } from 'node:timers/promises';
import { comparisonTimeoutMs } from '@sluice/contract';
import { type KeptTexts, limitText } from '#domain/prompt-privacy/redact-text.ts';
import { unlessAway } from '#domain/request-log/log-store-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { interruptedComparison } from '#jobs/end-lost-answers.ts';
import type { Logger } from '#platform/logger.ts';
import { askModel, type PartialAnswer } from './ask-model.ts';
import { changeResult } from './store.ts';

export interface Lane {
  readonly resultId: string;
  readonly model: string;
  readonly prompt: string;
  /** Determines how much of the answer is stored. */
  readonly promptPrivacy: KeptTexts;
}

/** Registry of the comparison requests that this node is running. */
export interface ComparisonRuns {
  start(ctx: SignedInContext, lanes: readonly Lane[]): void;
  whenEnded(): Promise<void>;
}

/** Time limit of a request. Shorter than the timeout after which a job ends abandoned requests. */
const laneLimitMs = comparisonTimeoutMs - 10_000;
const saveEveryMs = 1_000;
const figuresEveryMs = 200;
/** Maximum wait for a log row, which is normally shipped within a second. Some rejected requests have no log row. */
const figuresLimitMs = { completed: 30_000, failed: 3_000 };

export const tooSlow = 'The model did not answer within 5 minutes.';

/**
 * Creates the registry of running requests. Aborting `drained` ends the requests, so that their answers are stored
 * before the node exits.
 */
export function createComparisonRuns(drained: AbortSignal, log: Logger): ComparisonRuns {
  const running = new Set<Promise<void>>();
  const run = async (ctx: SignedInContext, lane: Lane) => {
    try {
      await runLane(ctx, lane, drained);
    } catch (error) {
      log.warn({ error, resultId: lane.resultId }, 'could not store a result of a comparison');
    }
  };
  return {
    start(ctx, lanes) {
      for (const lane of lanes) {
        const work = run(ctx, lane).finally(() => running.delete(work));
        running.add(work);
      }
    },
    async whenEnded() {
      await Promise.all(running);
    },
  };
}

type Save = (change: Parameters<typeof changeResult>[3]) => Promise<void>;

async function runLane(ctx: SignedInContext, lane: Lane, stopping: AbortSignal): Promise<void> {
  const save: Save = (change) =>
    ctx.inTenant((tx) => changeResult(tx, ctx.principal.tenantId, lane.resultId, change));
  const timeout = AbortSignal.timeout(laneLimitMs);
  const answer: PartialAnswer = { requestId: null, text: '', finishReason: null };
  // Only redact complete answers, because a partial secret would not be recognized.
  const stopSaving = lane.promptPrivacy === 'full' ? saveWhatComes(answer, save) : async () => {};
  const signal = AbortSignal.any([stopping, timeout]);
  const startedMs = performance.now();
  const failure = await askModel(
    ctx.askGateway,
    {
      body: { model: lane.model, messages: [{ role: 'user', content: lane.prompt }] },
      clientRequestId: lane.resultId,
      signal,
    },
    answer,
  ).then(
    () => null,
    (error: Error) => formatFailure(error, { stopping, timeout }),
  );
  const responseTimeMs = performance.now() - startedMs;
  const status = failure === null ? 'completed' : 'failed';
  await stopSaving();
  const limit = (text: string) => limitText(text, lane.promptPrivacy);
  await save({ responseText: limit(answer.text), requestId: answer.requestId });
  const figures = await waitForFigures(ctx, answer.requestId, figuresLimitMs[status]);
  await save({ status, errorMessage: failure === null ? null : limit(failure), responseTimeMs, ...figures });
}

/** Saves a changed answer every second. A failed save is ignored, because the next save includes its text. */
function saveWhatComes(answer: PartialAnswer, save: Save): () => Promise<void> {
  let saved: PartialAnswer = { ...answer };
  let writing: Promise<void> | null = null;
  const write = async ({ requestId, text }: PartialAnswer) => {
    await save({ requestId, responseText: text }).catch(() => undefined);
    writing = null;
  };
  const timer = setInterval(() => {
    if (writing || (answer.requestId === saved.requestId && answer.text === saved.text)) return;
    saved = { ...answer };
    writing = write(saved);
  }, saveEveryMs);
  return async () => {
    clearInterval(timer);
    await writing;
  };
}

function formatFailure(
  error: Error,
  { stopping, timeout }: Record<'stopping' | 'timeout', AbortSignal>,
): string {
  if (stopping.aborted) return interruptedComparison;
  return timeout.aborted ? tooSlow : error.message;
}

/** Waits for the log row, so that the comparison shows the same usage as the log. */
async function waitForFigures({ inTenant }: SignedInContext, requestId: string | null, limitMs: number) {
  if (requestId === null) return undefined;
  for (const endsAtMs = performance.now() + limitMs; performance.now() < endsAtMs; ) {
    const figures = await inTenant(({ requestLog }) =>
      unlessAway(requestLog.findFigures(requestId), undefined),
    );
    if (figures) {
      const { costNanoUsd, responseTimeMs, totalTokens } = figures;
      return { costNanoUsd, responseTimeMs, totalTokens };
    }
    await pause(figuresEveryMs);
  }
  return undefined;
}
