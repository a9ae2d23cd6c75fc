import type { SentChatMessage } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { EventStream, OnceContext } from '#http/console-route.ts';
import { answerTurn } from './answer-turn.ts';
import type { ChatRuns } from './runs.ts';
import { readPictures, readWholeChat, requireMessage, writeTurn } from './write-turn.ts';

/**
 * Requests another answer to the same message, by the same model unless another is given; the new answer becomes a
 * sibling.
 * @throws ConsoleError like sendChatMessage.
 */
export async function regenerateChatAnswer(
  runs: ChatRuns,
  ctx: OnceContext,
  { id, messageId }: { id: string; messageId: string },
  model: string | undefined,
): Promise<SentChatMessage | EventStream> {
  const whole = await readWholeChat(ctx, id);
  const answer = requireMessage(whole, messageId, false);
  if (answer.parentId === null) throw notFound('Message');
  const asked = requireMessage(whole, answer.parentId, true);
  const question = { ...asked, isNew: false, pictures: await readPictures(ctx, asked.id) };
  return answerTurn(runs, ctx, await writeTurn(ctx, whole, question, model ?? answer.model ?? undefined));
}
