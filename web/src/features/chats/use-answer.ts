import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ChatProblem, chatProblems, toChatProblem } from './problems.ts';
import { chatKey, chats } from './queries.ts';
import { streamAnswer } from './stream-answer.ts';

/** A turn that this page has sent and that is not stored yet. */
export interface LiveTurn {
  readonly chatId: string;
  readonly question: string;
  readonly text: string;
}

interface Sending {
  readonly chatId: string;
  readonly content: string;
  readonly model?: string | undefined;
}

/** Sends messages; what comes is drawn once a frame. */
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
  /** Answers whether the message was sent. */
  const send = async ({ chatId, content, model }: Sending): Promise<boolean> => {
    text.current = '';
    setLive({ chatId, question: content, text: '' });
    const onText = (more: string) => {
      text.current += more;
      frame.current ||= requestAnimationFrame(draw);
    };
    const failure = await streamAnswer({ chatId, content, model, onText }).catch((error: unknown) => error);
    if (failure) onProblem(toChatProblem(chatProblems.send, failure));
    await queryClient.refetchQueries({ queryKey: chatKey(chatId) });
    setLive(null);
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
    return !failure || text.current !== '';
  };
  const stop = (chatId: string) => {
    chats
      .stopChat({ params: { id: chatId } })
      .catch((error) => onProblem(toChatProblem('Failed to stop the answer', error)));
  };
  return { live, send, stop };
}
