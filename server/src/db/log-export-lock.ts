/**
 * Advisory lock between booking rows and closing an hour of the export: shared by transactions that book, exclusive
 * while an hour is closed. Each row is therefore either visible when its hour is exported, or recorded as late.
 */
export const logExportLock = 7_310_211;
