import { type ChangeEvent, type KeyboardEvent, useId, useState } from 'react';
import { findChoices, type PickerSource } from './picker-choices.ts';

interface PickerOptions {
  source: PickerSource;
  /** Values that are not offered. */
  taken: readonly string[];
  onPick: (value: string) => void;
  /** Backspace where nothing is typed. */
  onBackspace?: () => void;
}

/** The list of a picker and the keys of its input, which keeps the focus all the time. */
export function usePicker({ onBackspace, ...options }: PickerOptions) {
  const list = usePickerList(options);
  const { source } = options;
  const { isOpen, typed, active, open, close, type, move, pick } = list;

  const actions: Record<string, () => boolean> = {
    ArrowDown: () => done(() => move(1)),
    ArrowUp: () => done(() => move(-1)),
    Escape: () => isOpen && done(close),
    Enter: () => {
      if (isOpen && source.problem !== undefined) return done(() => source.onRetry?.());
      return active !== undefined && done(() => pick(active.value));
    },
    Backspace: () => !typed && onBackspace !== undefined && done(onBackspace),
  };

  const inputProps = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? listIdOf(list.id) : undefined,
    'aria-activedescendant': active && optionIdOf(list.id, active.value),
    // Escape is then meant for the list, not for the dialog around.
    'data-mantine-stop-propagation': isOpen || undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value),
    onClick: open,
    onBlur: close,
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.nativeEvent.isComposing && actions[event.key]?.()) event.preventDefault();
    },
  } as const;
  return { ...list, inputProps };
}

export type Picker = ReturnType<typeof usePicker>;

function usePickerList({ source, taken, onPick }: Omit<PickerOptions, 'onBackspace'>) {
  const [isOpen, setOpen] = useState(false);
  /** `null`: nothing is being searched for. */
  const [typed, setTyped] = useState<string | null>(null);
  const [activeIndex, setActiveIndex] = useState(0);
  const { shown, moreCount } = findChoices(source.choices ?? [], { text: typed ?? '', taken });

  const open = () => {
    if (isOpen) return;
    setActiveIndex(0);
    setOpen(true);
    source.onOpen?.();
  };
  const search = (text: string | null) => {
    setTyped(text);
    setActiveIndex(0);
  };
  return {
    id: useId(),
    isOpen,
    typed,
    shown,
    moreCount,
    active: isOpen ? shown[Math.min(activeIndex, shown.length - 1)] : undefined,
    open,
    close: () => {
      setOpen(false);
      setTyped(null);
    },
    type: (text: string) => {
      open();
      search(text);
    },
    move: (step: number) => {
      if (isOpen) setActiveIndex((index) => (index + step + shown.length) % Math.max(1, shown.length));
      else open();
    },
    pick: (value: string) => {
      onPick(value);
      search(null);
      setOpen(false);
    },
  };
}

export const listIdOf = (id: string) => `${id}-list`;
export const optionIdOf = (id: string, value: string) => `${id}-${value}`;

function done(act: () => void): true {
  act();
  return true;
}
