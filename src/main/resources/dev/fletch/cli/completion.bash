# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# Completes as _complete_fletch does, and `--option=value` as well, which help writes so: to bash that
# is three words, to zsh one, and to the functions above it has to be two.
function _fletch_completion() {
  local -a words
  local i word prefix='' current=0
  words=()
  for (( i = 0; i < ${#COMP_WORDS[@]}; i++ )); do
    word=${COMP_WORDS[i]}
    if [[ "$word" == '=' && i -gt 0 && "${COMP_WORDS[i-1]}" == --* ]]; then
      # The value comes next, or has no character yet.
      if (( i == COMP_CWORD )); then words+=(''); fi
    elif [[ "$word" == --*=* ]]; then
      words+=("${word%%=*}" "${word#*=}")
      if (( i == COMP_CWORD )); then prefix=${word%%=*}=; fi
    else
      words+=("$word")
    fi
    if (( i == COMP_CWORD )); then current=$(( ${#words[@]} - 1 )); fi
  done
  COMP_WORDS=("${words[@]}")
  COMP_CWORD=$current

  _complete_fletch

  # Whoever completes one word only wants all of it.
  for (( i = 0; i < ${#COMPREPLY[@]}; i++ )); do
    COMPREPLY[i]=$prefix${COMPREPLY[i]}
  done
  # Where a file is due, the functions of commands whose options have values offer none.
  if [[ -n "${BASH_VERSION:-}" && ${#COMPREPLY[@]} -eq 0 && "${COMP_WORDS[COMP_CWORD-1]}" != --column ]]; then
    type compopt &>/dev/null && compopt -o default
  fi
  return 0
}

complete -F _fletch_completion -o default fletch fletch.sh fletch.bash
