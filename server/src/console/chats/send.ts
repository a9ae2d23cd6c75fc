import { randomUUIDv7 } from 'node:crypto';
import type { SentChatMessage, sendChatMessageBody } from '@sluice/contract';
import type { z } from 'zod';
import type { EventStream, OnceContext } from '#http/console-route.ts';
import { answerTurn } from './answer-turn.ts';
import { findBranch } from './branch.ts';
import { readPicture, requireFew } from './read-picture.ts';
import type { ChatRuns } from './runs.ts';
import { readPictures, readWholeChat, requireMessage, writeTurn } from './write-turn.ts';

type Body = z.output<typeof sendChatMessageBody>;

/**
 * Stores a message, requests the answer, and returns it when stored or streams its events. An edit becomes a sibling
 * branch; a repeated idempotency key sends no request.
 * @throws ConsoleError as the gateway rejects it; 409 while an answer of the chat is being written.
 */
export async function sendChatMessage(
  runs: ChatRuns,
  ctx: OnceContext,
  { chat_id, content, model, edited_message_id, images }: Body,
): Promise<SentChatMessage | EventStream> {
  const whole = await readWholeChat(ctx, chat_id);
  const edited = edited_message_id === undefined ? null : requireMessage(whole, edited_message_id, true);
  const pictures = [...(edited ? await readPictures(ctx, edited.id) : []), ...images.map(readPicture)];
  requireFew(pictures);
  const last = findBranch(whole.rows, whole.chat.leafId).at(-1);
  const parentId = (edited ? edited.parentId : last?.id) ?? null;
  const question = { id: randomUUIDv7(), parentId, content, isNew: true, pictures };
  return answerTurn(runs, ctx, await writeTurn(ctx, whole, question, model));
}
