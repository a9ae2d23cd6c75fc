import { randomUUIDv7 } from 'node:crypto';
import {
  chatImageLimits,
  type chatImageTypes,
  type SentChatMessage,
  type sendChatMessageBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { GatewayRefusal } from '#console/llm-comparison/ask-model.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { EventStream, type IdempotentContext, type SignedInContext } from '#http/console-route.ts';
import { findBranch, groupSiblings } from './branch.ts';
import { readTaskContext } from './change.ts';
import type { Picture } from './images-store.ts';
import { requireChat, toChat, toChatMessage } from './read.ts';
import type { ChatRun, ChatRuns, Turn } from './runs.ts';
import { selectMessages } from './store.ts';
import { beingWritten, readPictures, readWholeChat, requireMessage, writeTurn } from './write-turn.ts';

/**
 * Returns the answer once it is stored, or streams its events.
 * @throws ConsoleError with the gateway's error if the gateway rejects the request
 */
async function answerTurn(
  runs: ChatRuns,
  ctx: SignedInContext,
  { turn, isRepeated }: { turn: Turn; isRepeated: boolean },
): Promise<SentChatMessage | EventStream> {
  if (isRepeated) {
    const sent = await readRepeated(ctx, turn);
    return ctx.wantsEvents ? new EventStream(streamSent(sent)) : sent;
  }
  const run = runs.start(ctx, turn);
  const ended = run.ended.catch((error) => Promise.reject(toConsoleError(error)));
  ended.catch(() => undefined);
  if (ctx.wantsEvents) {
    await Promise.race([run.admitted, ended]);
    return new EventStream(streamAnswer(ctx, turn, run));
  }
  await ended;
  return readSent(ctx, turn);
}

/**
 * Returns the response to a repeated message.
 * @throws ConsoleError 409 while the answer is being written, or if the message was rejected
 */
async function readRepeated(ctx: SignedInContext, turn: Turn): Promise<SentChatMessage> {
  const rows = await ctx.inTenant((tx) => selectMessages(tx, ctx.principal.tenantId, turn.chatId));
  const row = rows.find(({ id }) => id === turn.answerId);
  if (!row)
    throw new ConsoleError(409, 'This message was rejected. Send it again with another idempotency key.');
  if (row.status === 'pending') throw beingWritten();
  return readSent(ctx, turn);
}

async function* streamSent(sent: SentChatMessage): EventStream['events'] & AsyncGenerator {
  yield { event: 'delta', data: { text: sent.response } };
  yield { event: 'done', data: sent };
}

async function* streamAnswer(
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
    const code = error instanceof GatewayRefusal ? error.code : 'upstream_error';
    yield { event: 'error', data: { detail, code } };
  }
}

function toConsoleError(error: unknown): ConsoleError {
  if (error instanceof GatewayRefusal)
    return new ConsoleError(error.status, error.message, error.retryAfterSeconds);
  return new ConsoleError(
    502,
    error instanceof Error ? error.message : 'The response was interrupted. Try again.',
  );
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

interface SentPicture {
  readonly name: string;
  readonly media_type: (typeof chatImageTypes)[number];
  readonly data: string;
}

/** In a WebP file, the type follows the length. */
const isOfType: Record<SentPicture['media_type'], (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  'image/webp': (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12)),
};

/** @throws ConsoleError 422 if the image is too large or its content does not match the declared type */
function readPicture({ name, media_type: mediaType, data }: SentPicture): Picture {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > chatImageLimits.maxBytes) throw invalidField('images', 'An image must be at most 4 MB');
  if (!isOfType[mediaType](bytes)) {
    const kind = mediaType.slice('image/'.length).toUpperCase();
    throw invalidField('images', `${name} is not a valid ${kind} image`);
  }
  return { name, mediaType, bytes };
}

/** @throws ConsoleError 422 if a limit is exceeded */
function requireFew(pictures: readonly Picture[]): void {
  const { countMax, totalMaxBytes } = chatImageLimits;
  if (pictures.length > countMax)
    throw invalidField('images', `A message can have at most ${countMax} images`);
  if (pictures.reduce((sum, { bytes }) => sum + bytes.length, 0) > totalMaxBytes)
    throw invalidField('images', 'The images of a message must be at most 6 MB in total');
}

type Body = z.output<typeof sendChatMessageBody>;

/**
 * Returns the answer once it is stored, or streams its events. An edited message is stored as a sibling branch. A
 * repeated idempotency key sends no request.
 * @throws ConsoleError with the gateway's error if the gateway rejects the request; 404 if the chat or edited message
 * is missing, 409 while another answer is being written, 422 for invalid images
 */
export async function sendChatMessage(
  runs: ChatRuns,
  ctx: IdempotentContext,
  { chat_id, content, model, edited_message_id, images }: Body,
): Promise<SentChatMessage | EventStream> {
  const whole = await ctx.readInTenant((tx) => readWholeChat(tx, ctx.principal, chat_id));
  const edited = edited_message_id === undefined ? null : requireMessage(whole, edited_message_id, true);
  const pictures = [...(edited ? await readPictures(ctx, edited.id) : []), ...images.map(readPicture)];
  requireFew(pictures);
  const last = findBranch(whole.rows, whole.chat.leafId).at(-1);
  const parentId = (edited ? edited.parentId : last?.id) ?? null;
  const question = { id: randomUUIDv7(), parentId, content, isNew: true, pictures };
  return answerTurn(runs, ctx, await writeTurn(ctx, whole, question, model));
}

/**
 * Requests another answer to the same message and stores it as a sibling. Uses the same model unless another model is
 * specified.
 * @throws ConsoleError like `sendChatMessage`
 */
export async function regenerateChatAnswer(
  runs: ChatRuns,
  ctx: IdempotentContext,
  { id, messageId }: { id: string; messageId: string },
  model: string | undefined,
): Promise<SentChatMessage | EventStream> {
  const whole = await ctx.readInTenant((tx) => readWholeChat(tx, ctx.principal, id));
  const answer = requireMessage(whole, messageId, false);
  if (answer.parentId === null) throw notFound('Message');
  const asked = requireMessage(whole, answer.parentId, true);
  const question = { ...asked, isNew: false, pictures: await readPictures(ctx, asked.id) };
  return answerTurn(runs, ctx, await writeTurn(ctx, whole, question, model ?? answer.model ?? undefined));
}
