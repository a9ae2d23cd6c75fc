import type { LucideIcon } from 'lucide-react';

/** Something that can be done to a row, from its end. */
export interface RowAction<Row> {
  name: string;
  icon: LucideIcon;
  run: (row: Row) => void;
  /** Shown on the row as an icon instead of in its menu. */
  isInline?: boolean;
  /** Shown last, in red. */
  isDangerous?: boolean;
  isHidden?: (row: Row) => boolean;
  /** Why it cannot be done to this row now; `null` when it can. */
  obstacle?: (row: Row) => string | null;
}
