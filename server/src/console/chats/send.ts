import type { SentChatMessage, sendChatMessageBody } from '@sluice/contract';
import type { z } from 'zod';
import { GateRefusal } from '#console/llm-comparison/ask-model.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { EventStream, type SignedInContext } from '#http/console-route.ts';
import { pickModel } from './pick-model.ts';
import { requireChat } from './require-chat.ts';
import type { ChatRun, ChatRuns, Turn } from './runs.ts';
import { findMessage, insertTurn, selectMessages, touchChat } from './store.ts';
import { readTaskContext } from './task-context.ts';
import { toChat, toChatMessage } from './to-chat.ts';

type Body = z.output<typeof sendChatMessageBody>;

/**
 * Stores what is asked, asks, and answers the stored answer, or events that tell it as it comes.
 * @throws ConsoleError as the gate refuses; 409 while the chat's last answer is being written.
 */
export async function sendChatMessage(
  runs: ChatRuns,
  ctx: SignedInContext,
  body: Body,
): Promise<SentChatMessage | EventStream> {
  const turn = await storeTurn(ctx, body);
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

async function storeTurn(ctx: SignedInContext, { chat_id: chatId, content, model }: Body): Promise<Turn> {
  const { inTenant, principal } = ctx;
  const { tenantId } = principal;
  const { chat, rows } = await inTenant(async (tx) => ({
    chat: await requireChat(tx, principal, chatId),
    rows: await selectMessages(tx, tenantId, chatId),
  }));
  const asked = model ?? rows.findLast(({ isUser }) => !isUser)?.model ?? (await pickModel(ctx.askGate));
  const turn = await inTenant(async (tx) => {
    await touchChat(tx, tenantId, chatId, toTitle(content));
    return insertTurn(tx, tenantId, { chatId, content, model: asked });
  });
  if (!turn) throw new ConsoleError(409, 'The last answer of this chat is still being written.', 1);
  const said = rows
    .filter((row) => row.content !== '')
    .map((row) => ({ role: row.isUser ? 'user' : 'assistant', content: row.content }));
  const messages = [...said, { role: 'user', content }];
  const task = chat.taskId === null ? {} : { task_id: chat.taskId };
  return { chatId, ...turn, body: { model: asked, messages, ...task } };
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
