import { Button } from '@mantine/core';
import type { ChatMessage } from '@sluice/contract';
import { ArrowDown, RotateCcw } from 'lucide-react';
import { memo, type UIEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Markdown } from '#components/ui/markdown.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { localizeInstants } from '#lib/format-time.ts';
import messageStyles from './message.module.css';
import { BranchSwitch, Question } from './question.tsx';
import styles from './thread.module.css';
import type { LiveTurn } from './use-answer.ts';
import type { Edited, MessageActions } from './use-message-actions.ts';

interface MessageProps {
  message: ChatMessage;
  chatId: string;
  actions: MessageActions;
  /** Other messages cannot be sent while an answer is being written. */
  isBusy: boolean;
  edited: Edited | null;
}

const Message = memo(function Message({ message, ...props }: MessageProps) {
  if (message.is_user) return <Question message={message} {...props} />;
  return (
    <article className={messageStyles.answer} aria-busy={message.status === 'pending'}>
      <Markdown text={message.content} isGrowing={message.status === 'pending'} />
      {message.error_message !== null && (
        <p className={messageStyles.problem}>{localizeInstants(message.error_message)}</p>
      )}
      <AnswerFacts message={message} {...props} />
    </article>
  );
});

function AnswerFacts({ message, actions, isBusy }: Omit<MessageProps, 'chatId' | 'edited'>) {
  const { id, status, model, tokens_used, cost, content, siblings } = message;
  return (
    <footer className={messageStyles.facts}>
      <BranchSwitch id={id} siblings={siblings} noun="answer" isBusy={isBusy} onChoose={actions.choose} />
      {model !== null && <span>{model}</span>}
      {status === 'pending' && <span>writing</span>}
      {status === 'stopped' && <span>stopped</span>}
      {tokens_used !== null && <span className="num">{formatQuantity(tokens_used, 'token')}</span>}
      {cost !== null && <span className="num">{formatUsd(cost)}</span>}
      {status !== 'pending' && (
        <span className={messageStyles.tools}>
          {content !== '' && <CopyButton text={content} label="Copy answer" />}
          <IconButton
            label="Regenerate answer"
            title="Regenerate with the model selected below. This answer is kept."
            icon={RotateCcw}
            iconSize={14}
            disabled={isBusy}
            onClick={() => actions.regenerate(id)}
          />
        </span>
      )}
    </footer>
  );
}

/** Maximum distance from the end in pixels at which the thread scrolls to new text. */
const nearPx = 40;

/** Keeps the end of a growing thread visible unless the user has scrolled up. */
function useScrollAnchor() {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  /** Scroll position that `toEnd` set, and the thread height at that time. */
  const end = useRef({ top: -1, height: 0 });
  const [isAway, setAway] = useState(false);
  const toEnd = useCallback(() => {
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    end.current = { top: box.current.scrollTop, height: box.current.scrollHeight };
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  });
  // Scrolls again when images, highlighted code or a resized window change the height.
  useEffect(() => {
    const content = box.current?.firstElementChild;
    if (!box.current || !content) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
    });
    observer.observe(box.current);
    observer.observe(content);
    return () => observer.disconnect();
  }, [toEnd]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const leftPx = scrollHeight - scrollTop - clientHeight;
    const isUpwards = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // A larger composer or a shorter thread also moves the scroll position. Such a change is not scrolling by the
    // user.
    const { top, height } = end.current;
    if (isAtEnd.current && (scrollTop === top || scrollHeight < height)) return;
    // If the thread becomes shorter, the browser moves the position up although the end remains visible.
    isAtEnd.current = leftPx <= 1 || (leftPx < nearPx && !isUpwards);
    setAway(!isAtEnd.current && leftPx > nearPx);
  };
  const goToEnd = () => {
    isAtEnd.current = true;
    setAway(false);
    toEnd();
  };
  return { box, onScroll, isAway, goToEnd };
}

interface ThreadProps extends StoredProps {
  live: LiveTurn | null;
  isReadOnly: boolean;
}

/** The end remains visible as text arrives, unless the user has scrolled up. */
export function Thread({ live, isReadOnly, ...stored }: ThreadProps) {
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
            <EmptyState title="No messages yet">{!isReadOnly && 'Write the first message below.'}</EmptyState>
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

interface AnswerStatusProps {
  messages: readonly ChatMessage[];
  isBusy: boolean;
}

/** Maximum answer length in characters that screen readers announce. */
const announcedMax = 1_000;

/** Announces that an answer is being written, and the text of the complete answer. */
export function AnswerStatus({ messages, isBusy }: AnswerStatusProps) {
  const [text, setText] = useState('');
  const wasBusy = useRef(false);
  const last = messages.at(-1);
  const isAnswered = last !== undefined && !last.is_user && last.status !== 'pending';
  const answer = isAnswered ? last.content || localizeInstants(last.error_message ?? '') : '';
  useEffect(() => {
    if (isBusy) setText('Writing an answer');
    else if (wasBusy.current) setText(`Answer: ${answer.slice(0, announcedMax)}`);
    wasBusy.current = isBusy;
  }, [isBusy, answer]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
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

/** The turn that this page is sending is rendered separately. */
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

/** The message that this page just sent, and the received part of the answer. */
function LiveMessages({ live: { question, images, text } }: { live: LiveTurn }) {
  return (
    <>
      {question !== null && (
        <div className={messageStyles.asked}>
          {images.length > 0 && (
            <span className={messageStyles.images}>
              {images.map(({ url, body: { name } }) => (
                <img key={url} className={messageStyles.image} src={url} alt={name} />
              ))}
            </span>
          )}
          <p className={messageStyles.question}>{question}</p>
        </div>
      )}
      <article className={messageStyles.answer} aria-busy="true">
        <Markdown text={text} isGrowing />
        <footer className={messageStyles.facts}>writing</footer>
      </article>
    </>
  );
}
