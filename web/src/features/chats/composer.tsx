import { Button } from '@mantine/core';
import { Square } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import type { OwnModel } from '../../lib/own-models.ts';
import { AttachButton } from './attach-button.tsx';
import { AttachedImages } from './attached-images.tsx';
import { BudgetBar } from './budget-bar.tsx';
import styles from './composer.module.css';
import { type DraftProps, useDraft } from './use-draft.ts';

interface ComposerProps extends DraftProps {
  models: readonly OwnModel[];
  onModel: (id: string) => void;
  /** Estimated tokens of the conversation so far. */
  threadTokens: number;
  onStop: () => void;
  onEditLast: () => void;
}

/** Message input: Enter sends, Shift+Enter breaks the line, arrow up edits the last message. */
export function Composer(props: ComposerProps) {
  const { isAwaiting } = props;
  const { text, setText, images, removeImage, attach, obstacle, canSend, send } = useDraft(props);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isAwaiting) field.current?.focus({ preventScroll: true });
  }, [isAwaiting]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const takeFiles = (event: ClipboardEvent | DragEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    void attach([...files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped here as well as chosen by the button
    <div
      className={styles.composer}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => takeFiles(event, event.dataTransfer)}
    >
      <AttachedImages images={images} onRemove={removeImage} />
      <TextAreaField
        ref={field}
        classNames={{ input: styles.field }}
        aria-label="Message"
        placeholder="Ask about this task. Enter sends, Shift+Enter breaks the line."
        value={text}
        disabled={isAwaiting}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
      />
      <ComposerTools {...props} obstacle={obstacle} canSend={canSend} onFiles={attach} onSend={send} />
      <BudgetBar draft={text} threadTokens={props.threadTokens} />
    </div>
  );
}

interface ComposerToolsProps extends Omit<ComposerProps, 'onSend'> {
  obstacle: string | undefined;
  canSend: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
  onSend: () => Promise<void>;
}

function ComposerTools(props: ComposerToolsProps) {
  const { isAwaiting, model, models, chosenModel, obstacle, canSend } = props;
  const { onModel, onFiles, onSend, onStop } = props;
  return (
    <div className={styles.tools}>
      <AttachButton model={model} isBusy={isAwaiting} onFiles={onFiles} />
      <SelectField
        aria-label="Model"
        placeholder="Default model"
        value={chosenModel}
        options={models.map(({ id, takesImages }) => ({
          value: id,
          label: id,
          note: takesImages ? 'pictures' : undefined,
        }))}
        onChange={onModel}
      />
      {isAwaiting ? (
        <Button variant="default" leftSection={<Square size={12} aria-hidden />} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <span title={obstacle}>
          <Button disabled={!canSend} onClick={() => void onSend()}>
            Send
          </Button>
        </span>
      )}
    </div>
  );
}
