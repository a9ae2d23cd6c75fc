import type { ChatMessage } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type ChatProblem, chatKey, chats, toChatProblem } from './queries.ts';
import type { useAnswer } from './use-answer.ts';

export interface MessageActions {
  /** `null` closes the editor. */
  edit(id: string | null): void;
  sendEdited(id: string, content: string): void;
  regenerate(id: string): void;
  /** Shows the branch that contains the message. */
  choose(id: string): void;
}

/** After a failed attempt, includes the text that could not be sent. */
export interface Edited {
  readonly id: string;
  readonly text?: string;
}

interface Conversing extends Pick<ReturnType<typeof useAnswer>, 'send' | 'regenerate'> {
  readonly messages: readonly ChatMessage[];
  readonly model: string | undefined;
}

/** The object is stable, so that messages do not render again. */
export function useMessageActions(
  chatId: string | undefined,
  conversing: Conversing,
  onProblem: (problem: ChatProblem) => void,
) {
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<Edited | null>(null);
  const latest = useRef(conversing);
  latest.current = conversing;
  const actions = useMemo<MessageActions>(
    () => ({
      edit: (id) => setEdited(id === null ? null : { id }),
      async sendEdited(id, content) {
        if (chatId === undefined) return;
        setEdited(null);
        const { send, model } = latest.current;
        if (
          !(await send({
            chatId,
            content,
            model,
            editedId: id,
            afterId: findBefore(latest.current.messages, id),
          }))
        )
          setEdited({ id, text: content });
      },
      regenerate(id) {
        if (chatId === undefined) return;
        const { regenerate, model } = latest.current;
        void regenerate({ chatId, messageId: id, model, afterId: findBefore(latest.current.messages, id) });
      },
      async choose(messageId) {
        if (chatId === undefined) return;
        try {
          const chosen = await chats.chooseChatBranch({ params: { id: chatId, messageId } });
          queryClient.setQueryData(chatKey(chatId), chosen);
        } catch (error) {
          onProblem(toChatProblem('Failed to show the branch', error));
        }
      },
    }),
    [chatId, queryClient, onProblem],
  );
  return { actions, edited };
}

const findBefore = (messages: readonly ChatMessage[], id: string): string | null =>
  messages[messages.findIndex((message) => message.id === id) - 1]?.id ?? null;
