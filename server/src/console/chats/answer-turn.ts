import type { SentChatMessage } from '@sluice/contract';
import { GateRefusal } from '#console/llm-comparison/ask-model.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { EventStream, type SignedInContext } from '#http/console-route.ts';
import { groupSiblings } from './branch.ts';
import { requireChat } from './require-chat.ts';
import type { ChatRun, ChatRuns, Turn } from './runs.ts';
import { selectMessages } from './store.ts';
import { readTaskContext } from './task-context.ts';
import { toChat, toChatMessage } from './to-chat.ts';
import { beingWritten } from './write-turn.ts';

/**
 * Requests an answer and returns it when stored, or streams its events.
 * @throws ConsoleError as the gateway rejects the request.
 */
export async function answerTurn(
  runs: ChatRuns,
  ctx: SignedInContext,
  { turn, isRepeated }: { turn: Turn; isRepeated: boolean },
): Promise<SentChatMessage | EventStream> {
  if (isRepeated) {
    const sent = await readRepeated(ctx, turn);
    return ctx.wantsEvents ? new EventStream(tellRepeated(sent)) : sent;
  }
  const run = runs.start(ctx, turn);
  const ended = run.ended.catch((error) => Promise.reject(toConsoleError(error)));
  ended.catch(() => undefined);
  if (ctx.wantsEvents) {
    await Promise.race([run.admitted, ended]);
    return new EventStream(tellAnswer(ctx, turn, run));
  }
  await ended;
  return readSent(ctx, turn);
}

/** @throws ConsoleError 409 while the answer is being written, and for a message that was rejected. */
async function readRepeated(ctx: SignedInContext, turn: Turn): Promise<SentChatMessage> {
  const rows = await ctx.inTenant((tx) => selectMessages(tx, ctx.principal.tenantId, turn.chatId));
  const row = rows.find(({ id }) => id === turn.answerId);
  if (!row)
    throw new ConsoleError(409, 'This message was refused. Send it again with another idempotency key.');
  if (row.status === 'pending') throw beingWritten();
  return readSent(ctx, turn);
}

async function* tellRepeated(sent: SentChatMessage): EventStream['events'] & AsyncGenerator {
  yield { event: 'delta', data: { text: sent.response } };
  yield { event: 'done', data: sent };
}

async function* tellAnswer(
  ctx: SignedInContext,
  turn: Turn,
  run: ChatRun,
): EventStream['events'] & AsyncGenerator {
  for await (const text of run.follow()) yield { event: 'delta', data: { text } };
  try {
    await run.ended;
    yield { event: 'done', data: await readSent(ctx, turn) };
  } catch (error) {
    const { detail } = toConsoleError(error);
    const code = error instanceof GateRefusal ? error.code : 'upstream_error';
    yield { event: 'error', data: { detail, code } };
  }
}

function toConsoleError(error: unknown): ConsoleError {
  if (error instanceof GateRefusal)
    return new ConsoleError(error.status, error.message, error.retryAfterSeconds);
  return new ConsoleError(502, error instanceof Error ? error.message : 'The answer broke off.');
}

function readSent({ inTenant, principal }: SignedInContext, turn: Turn): Promise<SentChatMessage> {
  return inTenant(async (tx) => {
    const chat = await requireChat(tx, principal, turn.chatId);
    const rows = await selectMessages(tx, principal.tenantId, turn.chatId);
    const row = rows.find(({ id }) => id === turn.answerId);
    if (!row) throw notFound('Message');
    const { taskId } = chat;
    const task = taskId === null ? null : await readTaskContext(tx, principal, taskId);
    const { title, updated_at, total_tokens_used } = toChat(chat);
    return {
      message: toChatMessage(row, { siblings: groupSiblings(rows), images: [] }),
      response: row.content,
      remaining_tokens: task?.remaining_tokens ?? null,
      chat_updated: { title, updated_at, total_tokens_used },
    };
  });
}
