import { setTimeout as pause } from 'node:timers/promises';
import { comparisonTimeoutMs } from '@sluice/contract';
import { type KeptTexts, limitText } from '#domain/prompt-privacy/limit-text.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Logger } from '#platform/logger.ts';
import { askModel, type PartialAnswer } from './ask-model.ts';
import { changeResult, type Figures, findFigures } from './store.ts';

/** One model of a comparison. */
export interface Lane {
  readonly resultId: string;
  /** As the gate is asked for it. */
  readonly model: string;
  readonly prompt: string;
  /** What is written down of what it answers. */
  readonly promptPrivacy: KeptTexts;
}

/** The models of comparisons that this node is asking at the moment. */
export interface ComparisonRuns {
  /** Asks all of them at once as the person whose call it is, and writes down what comes. */
  start(ctx: SignedInContext, lanes: readonly Lane[]): void;
  /** Resolves when no model is asked any more and all is written. */
  whenEnded(): Promise<void>;
}

/** Ends what runs before the job does that ends what nobody runs. */
const laneLimitMs = comparisonTimeoutMs - 10_000;
const saveEveryMs = 1_000;
const figuresEveryMs = 200;
/** A row is shipped within a second; some refusals get none, since they are counted on the row of an earlier one. */
const figuresLimitMs = { completed: 30_000, failed: 3_000 };

export const tooSlow = 'The model did not answer within 5 minutes.';
export const interrupted = 'The gateway stopped while this model was answering. Start the comparison again.';

/** Those that run when `drained` aborts are ended, so that they can be written down before the node ends. */
export function createComparisonRuns(drained: AbortSignal, log: Logger): ComparisonRuns {
  const running = new Set<Promise<void>>();
  const run = async (ctx: SignedInContext, lane: Lane) => {
    try {
      await runLane(ctx, lane, drained);
    } catch (error) {
      log.warn({ error, resultId: lane.resultId }, 'a result of a comparison could not be written');
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
  const answer: PartialAnswer = { requestId: null, text: '' };
  // The half of a secret passes for something else, so that only whole answers are redacted.
  const stopSaving = lane.promptPrivacy === 'full' ? saveWhatComes(answer, save) : async () => {};
  const signal = AbortSignal.any([stopping, timeout]);
  const startedMs = performance.now();
  const failure = await askModel(
    ctx.askGate,
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

/** Writes what has come of an answer every second; what could not be written now, the next time brings. */
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
  if (stopping.aborted) return interrupted;
  return timeout.aborted ? tooSlow : error.message;
}

/** What the log says of the request, so that both always say the same. */
async function waitForFigures(
  { inTenant, principal }: SignedInContext,
  requestId: string | null,
  limitMs: number,
): Promise<Figures | undefined> {
  if (requestId === null) return undefined;
  for (const endsAtMs = performance.now() + limitMs; performance.now() < endsAtMs; ) {
    const figures = await inTenant((tx) => findFigures(tx, principal.tenantId, requestId));
    if (figures) return figures;
    await pause(figuresEveryMs);
  }
  return undefined;
}
