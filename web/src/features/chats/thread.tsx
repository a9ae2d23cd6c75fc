import { Button } from '@mantine/core';
import type { ChatMessage } from '@sluice/contract';
import { ArrowDown } from 'lucide-react';
import { memo } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { LiveMessages } from './live-messages.tsx';
import { Message } from './message.tsx';
import styles from './thread.module.css';
import type { LiveTurn } from './use-answer.ts';
import type { Edited, MessageActions } from './use-message-actions.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

interface ThreadProps extends StoredProps {
  live: LiveTurn | null;
}

/** Message list. New text keeps the end in view unless the reader has scrolled up. */
export function Thread({ live, ...stored }: ThreadProps) {
  const { box, onScroll, isAway, goToEnd } = useScrollAnchor();
  return (
    <div className={styles.frame}>
      <section
        ref={box}
        className={styles.thread}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label="Messages"
      >
        <div className={styles.column}>
          {stored.messages.length === 0 && !live && (
            <EmptyState title="Nothing said yet">Write the first message below.</EmptyState>
          )}
          <StoredMessages {...stored} isLive={live !== null} afterId={live?.afterId ?? null} />
          {live && <LiveMessages live={live} />}
        </div>
      </section>
      {isAway && (
        <Button
          className={styles.latest}
          variant="default"
          leftSection={<ArrowDown size={14} aria-hidden />}
          onClick={goToEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}

interface StoredProps {
  messages: readonly ChatMessage[];
  chatId: string;
  actions: MessageActions;
  isBusy: boolean;
  edited: Edited | null;
}

interface StoredMessagesProps extends StoredProps {
  isLive: boolean;
  afterId: string | null;
}

/** Stored messages, except the turn that this page is sending. */
const StoredMessages = memo(function StoredMessages(props: StoredMessagesProps) {
  const { messages, isLive, afterId, edited, ...rest } = props;
  const shown = isLive ? until(messages, afterId) : messages;
  return shown.map((message) => (
    <Message
      key={message.id}
      message={message}
      edited={edited?.id === message.id ? edited : null}
      {...rest}
    />
  ));
});

function until(messages: readonly ChatMessage[], id: string | null): readonly ChatMessage[] {
  return messages.slice(0, messages.findIndex((message) => message.id === id) + 1);
}
