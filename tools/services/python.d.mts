export declare const pythonProgram: string
export declare function ensurePython(): void
