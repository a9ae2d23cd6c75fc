import type { chatsRoutes } from '@sluice/contract';
import type { Handlers, SignedInContext } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { regenerateChatAnswer, sendChatMessage } from './answer-turn.ts';
import {
  archiveChat,
  chooseChatBranch,
  createChat,
  getChatTaskContext,
  openTaskChat,
  stopChat,
  updateChat,
} from './change.ts';
import { getChat, getChatImage, listChats } from './read.ts';
import type { ChatRuns } from './runs.ts';

export function createChatsHandlers({ runs }: { readonly runs: ChatRuns }): Handlers<typeof chatsRoutes> {
  /** Also stops the run on this node, which may be generating the answer. */
  const stopping =
    (verb: typeof stopChat) =>
    async (ctx: SignedInContext, { params }: { params: { id: string } }) => {
      await ctx.inTenant((tx) => verb(tx, ctx.principal, params.id));
      runs.stop(params.id);
      return undefined;
    };
  return {
    createChat: write(createChat, ({ body }) => body.task_id ?? null),
    listChats: read(listChats, ({ query }) => query),
    getChat: read(getChat, ({ params }) => params.id),
    sendChatMessage: outside('runs in the background', (ctx, { body }) => sendChatMessage(runs, ctx, body)),
    regenerateChatAnswer: outside('runs in the background', (ctx, { params, body }) =>
      regenerateChatAnswer(runs, ctx, params, body.model),
    ),
    chooseChatBranch: write(chooseChatBranch, ({ params }) => params),
    getChatImage: read(getChatImage, ({ params }) => params),
    updateChat: write(updateChat, ({ params, body }) => ({ id: params.id, change: body })),
    stopChat: outside('runs in the background', stopping(stopChat)),
    archiveChat: outside('runs in the background', stopping(archiveChat)),
    getChatTaskContext: read(getChatTaskContext, ({ params }) => params.id),
    openTaskChat: write(openTaskChat, ({ params }) => params.id),
  };
}
