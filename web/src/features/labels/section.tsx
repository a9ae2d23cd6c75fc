import { Button } from '@mantine/core';
import { formatLabel, type Labels } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EditIcon } from '#components/ui/action-icons.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart, useEverTrue } from '#lib/lazy-part.tsx';
import { type Labeled, labelsQuery } from './queries.ts';
import styles from './section.module.css';

/** Loaded on demand, because most visits do not change labels. */
const LabelsDialog = lazyPart(() => import('./dialog.tsx'), 'LabelsDialog');

interface LabelsSectionProps {
  of: Labeled;
}

export function LabelsSection({ of }: LabelsSectionProps) {
  const answer = useQuery(labelsQuery(of));
  const [isOpen, setOpen] = useState(false);
  const isAnythingOpened = useEverTrue(isOpen);
  const failure = describeFailure(answer, 'Failed to load labels');
  if (failure && !answer.data) return <Failure {...failure} />;
  if (!answer.data) return null;
  const { labels } = answer.data;
  return (
    <section aria-label="Labels">
      <div className={styles.head}>
        <h3>Labels</h3>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<EditIcon size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Edit labels
        </Button>
      </div>
      <LabelList labels={labels} />
      {isAnythingOpened && (
        <LabelsDialog of={of} labels={labels} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}

function LabelList({ labels }: { labels: Labels }) {
  const pairs = Object.entries(labels);
  if (pairs.length === 0) return <p className="quiet">No labels yet. Add one, such as a cost center.</p>;
  return (
    <ul className={styles.list}>
      {pairs.map(([name, value]) => (
        <li key={name}>
          <Badge>{formatLabel(name, value)}</Badge>
        </li>
      ))}
    </ul>
  );
}
