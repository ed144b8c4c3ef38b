export declare const serviceFolder: string
