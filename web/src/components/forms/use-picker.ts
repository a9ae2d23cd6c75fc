import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { findChoices, type PickerChoice, type PickerSource } from './picker-choices.ts';

interface PickerOptions {
  source: PickerSource;
  /** The selected value remains in the list. */
  chosen?: string | null | undefined;
  /** Values of options to exclude. */
  taken?: readonly string[];
  shownMax?: number;
  onPick: (value: string) => void;
  /** A handler returns whether to prevent the browser's default. */
  keys?: (list: PickerListState) => PickerKeys;
}

type PickerKeys = Record<string, () => boolean>;

/** The input keeps the focus. */
export function usePicker({ keys, ...options }: PickerOptions) {
  const list = usePickerList(options);
  const { id, isOpen, typed, activeIndex, open, close, search } = list;
  const input = useRef<HTMLInputElement>(null);
  const actions = { ...listKeys(list, options.source), ...keys?.(list) };

  // Selects the text, so that the next typed character replaces it.
  useEffect(() => {
    if (typed === null && input.current?.matches(':focus')) input.current.select();
  }, [typed]);

  const inputProps = {
    ref: input,
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? listIdOf(id) : undefined,
    'aria-activedescendant': activeIndex === undefined ? undefined : optionIdOf(id, activeIndex),
    // Escape closes the list and not the surrounding dialog.
    'data-mantine-stop-propagation': isOpen || undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement>) => search(event.currentTarget.value),
    onFocus: () => input.current?.select(),
    onClick: () => {
      if (typed === null) input.current?.select();
      open();
    },
    onBlur: close,
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.nativeEvent.isComposing && actions[event.key]?.()) event.preventDefault();
    },
  } as const;
  return { ...list, source: options.source, chosen: options.chosen, input, inputProps };
}

export type Picker = ReturnType<typeof usePicker>;

function listKeys(list: PickerListState, source: PickerSource): PickerKeys {
  const { isOpen, shown, open, close, move, activate, pickActive } = list;
  return {
    ArrowDown: () => done(isOpen ? () => move(1) : open),
    ArrowUp: () => done(isOpen ? () => move(-1) : open),
    Home: () => isOpen && done(() => activate(0)),
    End: () => isOpen && done(() => activate(shown.length - 1)),
    Escape: () => isOpen && done(close),
    // While the list is open, Enter does not submit the surrounding form.
    Enter: () => isOpen && done(source.problem === undefined ? pickActive : () => source.onRetry?.()),
  };
}

const pickerShownMax = 5;

function usePickerList({ source, chosen, onPick, ...options }: Omit<PickerOptions, 'keys'>) {
  const { taken = [], shownMax = pickerShownMax } = options;
  const [isOpen, setOpen] = useState(false);
  /** `null` if no search text was typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [index, activate] = useState(0);
  const { shown, moreCount } = findChoices(source.choices ?? [], { text: typed ?? '', taken, shownMax });
  const activeIndex = isOpen && shown.length > 0 ? Math.min(index, shown.length - 1) : undefined;

  const search = (text: string) => {
    open();
    setTyped(text);
    activate(0);
  };
  const open = () => {
    if (isOpen) return;
    activate(Math.max(0, chosen == null ? 0 : shown.findIndex(({ value }) => value === chosen)));
    setOpen(true);
    source.onOpen?.();
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
  };
  const pick = ({ value, isDisabled = false }: PickerChoice) => {
    if (isDisabled) return;
    onPick(value);
    close();
  };
  const pickActive = () => {
    const active = activeIndex === undefined ? undefined : shown[activeIndex];
    if (active) pick(active);
  };
  return {
    id: useId(),
    isOpen,
    typed,
    shown,
    moreCount,
    activeIndex,
    open,
    close,
    search,
    activate,
    move: (step: number) => activate(((activeIndex ?? 0) + step + shown.length) % Math.max(1, shown.length)),
    pick,
    pickActive,
  };
}

type PickerListState = ReturnType<typeof usePickerList>;

export const listIdOf = (id: string) => `${id}-list`;
export const optionIdOf = (id: string, index: number) => `${id}-${index}`;

export function done(act: () => void): true {
  act();
  return true;
}
