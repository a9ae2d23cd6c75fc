import { ChevronRight } from 'lucide-react';
import { type ChangeEvent, type MouseEvent, memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { ListedColumn } from './column.ts';
import styles from './data-table.module.css';
import { type RowAction, RowActions } from './row-actions.tsx';

export interface RowAbilities<Row> {
  nameOf: (row: Row) => string;
  activate: (id: string) => void;
  onOpen: ((row: Row) => void) | undefined;
  toggle: ((id: string) => void) | undefined;
  select: ((id: string, event: ChangeEvent<HTMLInputElement>) => void) | undefined;
  actions: readonly RowAction<Row>[] | undefined;
}

interface TableRowProps<Row> {
  id: string;
  row: Row;
  columns: readonly ListedColumn<Row>[];
  abilities: RowAbilities<Row>;
  /** Index in the whole list. The heading is row 1. */
  ariaRowIndex: number;
  isActive: boolean;
  isOpen: boolean;
  isExpanded: boolean;
  isSelected: boolean;
}

export const TableRow = memo(DrawnRow) as typeof DrawnRow; // safe because memo only drops the type parameter

function DrawnRow<Row>(props: TableRowProps<Row>) {
  const { id, row, columns, abilities, isActive, isOpen, isExpanded, isSelected } = props;
  const { onOpen, toggle, select, actions } = abilities;
  const press = onOpen ? () => onOpen(row) : toggle && (() => toggle(id));
  const states = [
    press && styles.pressable,
    (isOpen || isExpanded) && styles.open,
    isSelected && styles.selected,
  ];
  return (
    <tr
      data-row={id}
      className={states.filter(Boolean).join(' ')}
      aria-rowindex={props.ariaRowIndex}
      aria-current={isOpen || undefined}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => abilities.activate(id)}
      onClick={press && ((event) => isMeantForRow(event) && press())}
    >
      {toggle && (
        <td className={`${styles.controlCell} ${styles.frozen}`}>
          <DetailToggle id={id} isExpanded={isExpanded} isTabStop={isActive} onToggle={toggle} />
        </td>
      )}
      {select && (
        <td className={styles.controlCell}>
          <SelectBox
            label={`Select ${abilities.nameOf(row)}`}
            isChecked={isSelected}
            isTabStop={isActive}
            onChange={(event) => select(id, event)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className={styles.controlCell}>
          <RowActions row={row} rowName={abilities.nameOf(row)} actions={actions} isTabStop={isActive} />
        </td>
      )}
    </tr>
  );
}

export const classOf = ({ align, isPinned }: Pick<ListedColumn<never>, 'align' | 'isPinned'>) =>
  [align && styles[align], isPinned && styles.frozen].filter(Boolean).join(' ') || undefined;

interface DetailToggleProps {
  id: string;
  isExpanded: boolean;
  isTabStop: boolean;
  onToggle: (id: string) => void;
}

function DetailToggle({ id, isExpanded, isTabStop, onToggle }: DetailToggleProps) {
  return (
    <button
      type="button"
      className={styles.toggle}
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={isExpanded}
      aria-controls={isExpanded ? detailIdOf(id) : undefined}
      aria-label="Details"
      onClick={() => onToggle(id)}
    >
      <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}

interface SelectBoxProps {
  label: string;
  isChecked: boolean;
  isPartly?: boolean;
  isTabStop?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

export function SelectBox({
  label,
  isChecked,
  isPartly = false,
  isTabStop = true,
  onChange,
}: SelectBoxProps) {
  return (
    <label className={styles.selectBox}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        tabIndex={isTabStop ? 0 : -1}
        ref={(box) => {
          if (box) box.indeterminate = isPartly;
        }}
        onChange={onChange}
      />
    </label>
  );
}

interface DetailRowProps {
  id: string;
  columnCount: number;
  onResize?: ((id: string, heightPx: number) => void) | undefined;
  children: ReactNode;
}

export function DetailRow({ id, columnCount, onResize, children }: DetailRowProps) {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (element.current) onResize?.(id, element.current.getBoundingClientRect().height);
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [id, onResize]);
  return (
    <tr ref={element} id={detailIdOf(id)}>
      <td colSpan={columnCount} className={styles.detail}>
        {children}
      </td>
    </tr>
  );
}

const detailIdOf = (id: string) => `details-${id}`;

/** Whether a click selects the row. `false` for clicks on a control and while text is selected. */
function isMeantForRow({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, label') !== null;
  return !isOnControl && window.getSelection()?.isCollapsed !== false;
}
