// The place of a syntax error in a module.
const x = ;
