import { Button, Loader, Popover, type PopoverProps } from '@mantine/core';
import { Check } from 'lucide-react';
import { type Ref, useImperativeHandle } from 'react';
import { Badge } from '../ui/badge.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './picker.module.css';
import type { PickerChoice } from './picker-choices.ts';
import { listIdOf, optionIdOf, type Picker } from './use-picker.ts';

export interface PickerOfferProps {
  picker: Picker;
  label: string | undefined;
  /** Text shown if there are no options. */
  emptyText?: string | undefined;
}

export function PickerOffer({ picker, label, emptyText }: PickerOfferProps) {
  const texts = { emptyText: emptyText ?? describeEmptiness(picker) };
  return (
    <Popover
      opened
      position="bottom-start"
      offset={4}
      middlewares={fitted}
      withRoles={false}
      closeOnEscape={false}
      onDismiss={picker.close}
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <Anchor input={picker.input} />
      </Popover.Target>
      {/* Keeps the focus in the input when the user presses a mouse button on the list. */}
      <Popover.Dropdown className={styles.dropdown} onMouseDown={(event) => event.preventDefault()}>
        <Options picker={picker} label={label} />
        <Rest picker={picker} {...texts} />
        <div role="status" className="visually-hidden">
          {describe(picker, texts.emptyText)}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Makes the dropdown at least as wide as the field and not larger than the viewport. Long lists scroll. */
const fitted: PopoverProps['middlewares'] = {
  flip: { padding: 8, fallbackStrategy: 'bestFit' },
  size: {
    padding: 8,
    apply: ({ rects, availableHeight, elements: { floating } }) => {
      floating.style.minWidth = `${rects.reference.width}px`;
      floating.style.maxHeight = `${availableHeight}px`;
    },
  },
};

/** Anchors the dropdown to the field, which is rendered elsewhere. */
function Anchor({ input, ref }: { input: Picker['input']; ref?: Ref<Element | null> }) {
  useImperativeHandle<Element | null, Element | null>(ref, () => boxOf(input.current), [input]);
  return null;
}

const boxOf = (input: Element | null) => input?.closest('.mantine-Input-wrapper') ?? null;

function Options({ picker, label }: Pick<PickerOfferProps, 'picker' | 'label'>) {
  const { id, source, shown, activeIndex, chosen, pick } = picker;
  return (
    <div
      id={listIdOf(id)}
      role="listbox"
      aria-label={label}
      aria-busy={source.choices === undefined}
      className={styles.options}
    >
      {shown.map((choice, index) => (
        <Option
          key={choice.value}
          id={optionIdOf(id, index)}
          choice={choice}
          isActive={index === activeIndex}
          isChosen={choice.value === chosen}
          onPick={() => pick(choice)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: PickerChoice;
  isActive: boolean;
  isChosen: boolean;
  onPick: () => void;
}

function Option({ id, choice, isActive, isChosen, onPick }: OptionProps) {
  const { label, detail, note, isDisabled } = choice;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox holds the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
    <div
      ref={isActive ? scrollListTo : undefined}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={isDisabled}
      data-active={isActive || undefined}
      className={styles.option}
      onClick={onPick}
    >
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {note !== undefined && <Badge tone="warn">{note}</Badge>}
      {isChosen && <Check size={14} strokeWidth={2} aria-hidden className={styles.mark} />}
    </div>
  );
}

/** Scrolls only the list. `scrollIntoView` would also scroll the page. */
function scrollListTo(option: HTMLElement | null): void {
  const list = option?.parentElement;
  if (!option || !list) return;
  const { offsetTop, offsetHeight } = option;
  if (offsetTop < list.scrollTop) list.scrollTop = offsetTop;
  list.scrollTop = Math.max(list.scrollTop, offsetTop + offsetHeight - list.clientHeight);
}

function Rest({ picker, emptyText }: { picker: Picker; emptyText: string }) {
  const { source, shown, moreCount } = picker;
  if (source.problem !== undefined) {
    return (
      <div className={styles.problem}>
        <StatusMark kind="bad">{source.problem}</StatusMark>
        <Button variant="default" size="compact-sm" tabIndex={-1} onClick={() => source.onRetry?.()}>
          Try Again
        </Button>
      </div>
    );
  }
  if (source.choices === undefined) {
    return (
      <p className={styles.rest}>
        <Loader size={14} aria-hidden />
        Loading...
      </p>
    );
  }
  if (shown.length === 0) return <p className={styles.rest}>{emptyText}</p>;
  return moreCount > 0 && <p className={`num ${styles.rest}`}>{moreCount} more available</p>;
}

const describeEmptiness = ({ typed }: Picker) =>
  typed?.trim() ? `No results for “${typed.trim()}”` : 'No options available';

function describe({ shown, moreCount, source }: Picker, emptyText: string): string {
  if (source.problem !== undefined) return `${source.problem}. Press Enter to try again.`;
  if (source.choices === undefined) return 'Loading...';
  if (shown.length === 0) return emptyText;
  return `${shown.length} shown${moreCount > 0 ? `, ${moreCount} more available` : ''}`;
}
