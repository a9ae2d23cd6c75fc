import { chatsRoutes, pathOf } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AttachedImage } from './image-files.ts';
import { type ChatProblem, chatProblems, toChatProblem } from './problems.ts';
import { chatKey, chats } from './queries.ts';
import { streamAnswer } from './stream-answer.ts';

/** Turn sent by this page that is not stored yet. */
export interface LiveTurn {
  readonly chatId: string;
  /** `null` if an answer is regenerated. */
  readonly question: string | null;
  readonly images: readonly AttachedImage[];
  /** Id of the stored message before it, or `null` at the start. Later stored messages are another branch. */
  readonly afterId: string | null;
  readonly text: string;
}

/** Content of a message to send. */
export interface Sending {
  readonly chatId: string;
  readonly afterId: string | null;
  readonly content: string;
  readonly model?: string | undefined;
  readonly images?: readonly AttachedImage[];
  readonly editedId?: string;
}

/** Answer to regenerate. */
export interface Repeating {
  readonly chatId: string;
  readonly afterId: string | null;
  readonly messageId: string;
  readonly model: string | undefined;
}

/** Sends messages; arriving text is rendered once per frame. */
export function useAnswer(onProblem: (problem: ChatProblem) => void) {
  const queryClient = useQueryClient();
  const [live, setLive] = useState<LiveTurn | null>(null);
  const text = useRef('');
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const draw = () => {
    frame.current = 0;
    setLive((turn) => turn && { ...turn, text: text.current });
  };
  /** Resolves to whether the message was sent. */
  const ask = async (turn: Omit<LiveTurn, 'text'>, path: string, body: object): Promise<boolean> => {
    text.current = '';
    setLive({ ...turn, text: '' });
    const onText = (more: string) => {
      text.current += more;
      frame.current ||= requestAnimationFrame(draw);
    };
    const failure = await streamAnswer({ path, body, onText }).catch((error: unknown) => error);
    if (failure) onProblem(toChatProblem(chatProblems.send, failure));
    await queryClient.refetchQueries({ queryKey: chatKey(turn.chatId) });
    setLive(null);
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
    return !failure || text.current !== '';
  };
  const send = ({ chatId, afterId, content, model, images = [], editedId }: Sending) =>
    ask({ chatId, afterId, question: content, images }, pathOf(chatsRoutes.sendChatMessage), {
      chat_id: chatId,
      content,
      ...(model && { model }),
      ...(editedId && { edited_message_id: editedId }),
      ...(images.length > 0 && { images: images.map(({ body }) => body) }),
    });
  const regenerate = ({ chatId, afterId, messageId, model }: Repeating) =>
    ask(
      { chatId, afterId, question: null, images: [] },
      pathOf(chatsRoutes.regenerateChatAnswer).replace('{id}', chatId).replace('{messageId}', messageId),
      model ? { model } : {},
    );
  const stop = (chatId: string) => {
    chats
      .stopChat({ params: { id: chatId } })
      .catch((error) => onProblem(toChatProblem('Failed to stop the answer', error)));
  };
  return { live, send, regenerate, stop };
}
