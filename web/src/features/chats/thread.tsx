import type { ChatMessage } from '@sluice/contract';
import { useLayoutEffect, useRef } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Message } from './message.tsx';
import { isPending } from './queries.ts';
import styles from './thread.module.css';
import type { LiveTurn } from './use-answer.ts';

interface ThreadProps {
  messages: readonly ChatMessage[];
  live: LiveTurn | null;
}

/** How near to its end the thread has to be to be kept there. */
const nearPx = 40;

/** The messages; what comes keeps the end in view, unless the reader has scrolled away from it. */
export function Thread({ messages, live }: ThreadProps) {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  // While this page writes, the server's copy of the same turn lags behind.
  const stored = live ? withoutPending(messages) : messages;
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  const note = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: React.UIEvent<HTMLElement>) => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={box} className={styles.thread} onScroll={note} tabIndex={0} aria-label="Messages">
      <div className={styles.column}>
        {stored.length === 0 && !live && (
          <EmptyState title="Nothing said yet">Write the first message below.</EmptyState>
        )}
        {stored.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {live && <LiveMessages live={live} />}
      </div>
    </section>
  );
}

function LiveMessages({ live: { question, text } }: { live: LiveTurn }) {
  const said = { error_message: null, model: null, tokens_used: null, cost: null };
  return (
    <>
      <Message message={{ ...said, content: question, is_user: true, status: 'completed' }} />
      <Message message={{ ...said, content: text, is_user: false, status: 'pending' }} />
    </>
  );
}

function withoutPending(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.some(isPending) ? messages.slice(0, -2) : messages;
}
