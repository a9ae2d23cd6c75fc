import { Button } from '@mantine/core';
import { Paperclip, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { BudgetBar } from './budget-bar.tsx';
import styles from './composer.module.css';
import { readTextFiles, textFilesHint } from './text-files.ts';

interface ComposerProps {
  hasChat: boolean;
  isAwaiting: boolean;
  /** `null` where the task has no limit. */
  remainingTokens: number | null;
  models: readonly string[];
  /** About how many tokens go out before a word is typed. */
  threadTokens: number;
  /** Answers whether it was sent; what was not is given back. */
  onSend: (content: string, model: string | undefined) => Promise<boolean>;
  onStop: () => void;
  onProblem: (title: string) => void;
}

/** Where messages are written: Enter sends, Shift+Enter breaks the line. */
export function Composer(props: ComposerProps) {
  const { isAwaiting, models, onProblem } = props;
  const { text, setText, model, setModel, attach, hasTokens, canSend, send } = useDraft(props);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isAwaiting) field.current?.focus({ preventScroll: true });
  }, [isAwaiting]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className={styles.composer}>
      <TextAreaField
        ref={field}
        aria-label="Message"
        placeholder="Ask about this task. Enter sends, Shift+Enter breaks the line."
        value={text}
        disabled={isAwaiting}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.tools}>
        <AttachButton onProblem={onProblem} onTexts={attach} />
        <SelectField
          aria-label="Model"
          placeholder="Default model"
          value={model}
          options={models.map((id) => ({ value: id, label: id }))}
          onChange={setModel}
        />
        {isAwaiting ? (
          <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={props.onStop}>
            Stop
          </Button>
        ) : (
          <span title={hasTokens ? undefined : 'No tokens remaining'}>
            <Button disabled={!canSend} onClick={() => void send()}>
              Send
            </Button>
          </span>
        )}
      </div>
      <BudgetBar draft={text} threadTokens={props.threadTokens} />
    </div>
  );
}

function useDraft({ hasChat, isAwaiting, remainingTokens, onSend }: ComposerProps) {
  const [text, setText] = useState('');
  const [model, setModel] = useState('');
  const hasTokens = remainingTokens === null || remainingTokens > 0;
  const canSend = hasChat && hasTokens && !isAwaiting && text.trim() !== '';
  const send = async () => {
    if (!canSend) return;
    setText('');
    if (!(await onSend(text, model || undefined))) setText(text);
  };
  const attach = (texts: readonly string[]) =>
    setText((draft) => [draft, ...texts].filter(Boolean).join('\n\n'));
  return { text, setText, model, setModel, attach, hasTokens, canSend, send };
}

interface AttachButtonProps {
  onTexts: (texts: readonly string[]) => void;
  onProblem: (title: string) => void;
}

function AttachButton({ onTexts, onProblem }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null);
  const attach = async (list: FileList | null) => {
    const { texts, problem } = await readTextFiles([...(list ?? [])]);
    if (problem) onProblem(problem);
    onTexts(texts);
    if (files.current) files.current.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept="text/*,.md,.json,.csv,.ts,.py"
        onChange={(event) => void attach(event.currentTarget.files)}
      />
      <IconButton
        label={`Attach files: ${textFilesHint}`}
        title={textFilesHint}
        icon={Paperclip}
        onClick={() => files.current?.click()}
      />
    </>
  );
}
