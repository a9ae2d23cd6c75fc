import type { UserTask } from '@sluice/contract';
import { Dialog } from '#components/ui/dialog.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatLimit } from '#lib/format-number.ts';
import { formatFullTime } from '#lib/format-time.ts';
import { TaskStatus } from './columns.tsx';
import styles from './overlays.module.css';

export function TaskDialog({ task, onClose }: { task: UserTask; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={task.task_title} size="lg">
      <p className={styles.text}>{task.task_description}</p>
      <section className={styles.notes}>
        <h3>Progress notes</h3>
        <p className={styles.text}>{task.progress_notes || <span className="quiet">None</span>}</p>
      </section>
      <FactList>
        <Fact name="Status">
          <TaskStatus status={task.status} />
        </Fact>
        <Fact name="Category">{formatLabel(task.task_category)}</Fact>
        <Fact name="Difficulty">{formatLabel(task.task_difficulty)}</Fact>
        <Fact name="Estimated hours">{task.estimated_hours}</Fact>
        <Fact name="Tokens used">{formatCount(task.tokens_used)}</Fact>
        <Fact name="Token limit">{formatLimit(task.token_limit)}</Fact>
        <Fact name="Cost">
          {formatUsd(task.spend_usd_today)} today, {formatUsd(task.spend_usd_month)} this month,{' '}
          {formatUsd(task.spend_usd_last_month)} last month
        </Fact>
        <Fact name="Assigned">{formatFullTime(task.assigned_at)}</Fact>
        <Fact name="Completed">
          {task.completion_date === null ? 'Not yet' : formatFullTime(task.completion_date)}
        </Fact>
      </FactList>
    </Dialog>
  );
}
