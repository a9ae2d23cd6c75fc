import type { SentChatMessage, sendChatMessageBody } from '@sluice/contract';
import type { z } from 'zod';
import { GateRefusal } from '#console/llm-comparison/ask-model.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { EventStream, type OnceContext, type SignedInContext } from '#http/console-route.ts';
import { pickModel } from './pick-model.ts';
import { requireChat } from './require-chat.ts';
import type { ChatRun, ChatRuns, Turn } from './runs.ts';
import { findMessage, insertTurn, selectMessages, touchChat } from './store.ts';
import { readTaskContext } from './task-context.ts';
import { toChat, toChatMessage } from './to-chat.ts';

type Body = z.output<typeof sendChatMessageBody>;

/**
 * Stores what is asked, asks, and answers the stored answer, or events that tell it as it comes. A repetition asks nothing.
 * @throws ConsoleError as the gate refuses; 409 while the chat's last answer is being written.
 */
export async function sendChatMessage(
  runs: ChatRuns,
  ctx: OnceContext,
  body: Body,
): Promise<SentChatMessage | EventStream> {
  const { turn, isRepeated } = await storeTurn(ctx, body);
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

/** How much of a first message becomes the title. */
const titleMax = 60;

async function storeTurn(ctx: OnceContext, body: Body): Promise<{ turn: Turn; isRepeated: boolean }> {
  let messages: object[] | undefined;
  const { task, model, ...turn } = await ctx.inTenant(async (tx) => {
    const { chat, rows, model: asked } = await readThread(tx, ctx, body);
    messages = [...toMessages(rows), { role: 'user', content: body.content }];
    await touchChat(tx, ctx.principal.tenantId, body.chat_id, toTitle(body.content));
    const place = { chatId: body.chat_id, content: body.content, model: asked };
    const written = await insertTurn(tx, ctx.principal.tenantId, place);
    if (!written) throw beingWritten();
    return {
      ...written,
      chatId: chat.id,
      model: asked,
      task: chat.taskId === null ? {} : { task_id: chat.taskId },
    };
  });
  return {
    turn: { ...turn, body: { model, messages: messages ?? [], ...task } },
    isRepeated: messages === undefined,
  };
}

async function readThread(tx: TenantTransaction, ctx: OnceContext, { chat_id: chatId, model }: Body) {
  const chat = await requireChat(tx, ctx.principal, chatId);
  const rows = await selectMessages(tx, ctx.principal.tenantId, chatId);
  const last = rows.findLast(({ isUser }) => !isUser)?.model;
  return { chat, rows, model: model ?? last ?? (await pickModel(ctx.askGate)) };
}

const toMessages = (rows: Awaited<ReturnType<typeof selectMessages>>) =>
  rows
    .filter((row) => row.content !== '')
    .map((row) => ({ role: row.isUser ? 'user' : 'assistant', content: row.content }));

const beingWritten = () => new ConsoleError(409, 'The last answer of this chat is still being written.', 1);

/** @throws ConsoleError 409 while the answer is being written, and for a message that was refused. */
async function readRepeated(ctx: OnceContext, turn: Turn): Promise<SentChatMessage> {
  const row = await ctx.inTenant((tx) => findMessage(tx, ctx.principal.tenantId, turn.answerId));
  if (!row)
    throw new ConsoleError(409, 'This message was refused. Send it again with another idempotency key.');
  if (row.status === 'pending') throw beingWritten();
  return readSent(ctx, turn);
}

async function* tellRepeated(sent: SentChatMessage): EventStream['events'] & AsyncGenerator {
  yield { event: 'delta', data: { text: sent.response } };
  yield { event: 'done', data: sent };
}

function toTitle(content: string): string {
  const [line = ''] = content.split('\n');
  const title = line.replace(/\s+/g, ' ').trim();
  return title.length <= titleMax ? title : `${title.slice(0, titleMax - 1).trimEnd()}…`;
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
    const row = await findMessage(tx, principal.tenantId, turn.answerId);
    const chat = await requireChat(tx, principal, turn.chatId);
    if (!row) throw new ConsoleError(404, 'Message not found');
    const { taskId } = chat;
    const task = taskId === null ? null : await readTaskContext(tx, principal, taskId);
    const { title, updated_at, total_tokens_used } = toChat(chat);
    return {
      message: toChatMessage(row),
      response: row.content,
      remaining_tokens: task?.remaining_tokens ?? null,
      chat_updated: { title, updated_at, total_tokens_used },
    };
  });
}
