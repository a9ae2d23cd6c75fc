import { Button, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { showError, showMessage } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './rehearsal.module.css';
import { type Draft, loadHistory, promptsMax, readPrompts } from './rehearsal-queries.ts';
import { RehearsedPrompt } from './rehearsed-prompt.tsx';

const pauseMs = 300;

interface TaskRehearsalProps {
  draft: Draft;
  /** Task whose past prompts can be loaded; `undefined` for a new one. */
  taskId: number | undefined;
}

/** Shows how prompts would be judged for the task being edited. */
export function TaskRehearsal({ draft, taskId }: TaskRehearsalProps) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(JSON.stringify({ draft, text }), pauseMs);
  // safe because it is what was written the line before
  const judged = JSON.parse(settled) as { draft: Draft; text: string };
  const headingId = useId();
  const takeHistory = async (id: number) => {
    try {
      const prompts = await loadHistory(id);
      if (prompts.length === 0) return showMessage('No requests for this task yet');
      setText(prompts.join('\n'));
    } catch (error) {
      showError(messageOf(error, 'Failed to load the prompts'));
    }
  };
  return (
    <section className={styles.rehearsal} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h3 id={headingId}>Task rehearsal</h3>
        {taskId !== undefined && (
          <Button variant="subtle" onClick={() => void takeHistory(taskId)}>
            Take from history
          </Button>
        )}
      </div>
      <Textarea
        label="Prompts"
        description={`One per line, up to ${promptsMax}. They are compared with the fields above as you type. Nothing is stored.`}
        autosize
        minRows={2}
        maxRows={6}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <PanelList label="Rehearsed prompts" items={readPrompts(judged.text)}>
        {(prompt, index) => (
          // An edited line keeps its position
          <RehearsedPrompt key={index} prompt={prompt} draft={judged.draft} />
        )}
      </PanelList>
    </section>
  );
}
