import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import styles from './message.module.css';

interface BranchSwitchProps {
  id: string;
  siblings: readonly string[];
  /** `message`, `answer`. */
  noun: string;
  isBusy: boolean;
  onChoose: (id: string) => void;
}

/** Position of the shown message among its siblings; arrow keys switch to the others. */
export function BranchSwitch({ id, siblings, noun, isBusy, onChoose }: BranchSwitchProps) {
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(id);
  const choose = (step: number) => {
    const next = siblings[at + step];
    if (next !== undefined && !isBusy) onChoose(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(step);
  };
  const place = `${at + 1} / ${siblings.length}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of two buttons is no set of fields
    <span
      role="group"
      aria-label={`Versions of this ${noun}`}
      className={styles.branches}
      onKeyDown={onKeyDown}
    >
      <IconButton
        label={`Previous ${noun}`}
        icon={ChevronLeft}
        aria-disabled={at === 0 || isBusy}
        onClick={() => choose(-1)}
      />
      <span className="num" role="status">
        {place}
      </span>
      <IconButton
        label={`Next ${noun}`}
        icon={ChevronRight}
        aria-disabled={at === siblings.length - 1 || isBusy}
        onClick={() => choose(1)}
      />
    </span>
  );
}
